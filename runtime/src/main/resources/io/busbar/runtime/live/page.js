// Everything that comes from the operator is set as text; nothing here makes markup of it.

const AGES = 1000;
const AGAIN = 2000;
const element = (id) => document.getElementById(id);

// Of a session that a printed address has begun: it outlives that the page is loaded again.
const SESSION = "session";
let token = sessionStorage.getItem(SESSION) ?? "";

let chosen = null;

/** Each of several texts stands for itself, whichever way it is to be read. */
function make(name, content, className) {
  const made = document.createElement(name);
  const parts = [content].flat().filter((part) => part !== null && part !== undefined);
  for (const part of parts) {
    if (part instanceof Node) {
      made.append(part);
    } else if (parts.length > 1) {
      made.append(make("bdi", part));
    } else {
      made.textContent = part;
    }
  }
  if (className) {
    made.className = className;
  }
  return made;
}

/** A time that is shown as its distance from now, and told anew each second. */
function age(millis, before = "", after = " ago") {
  if (millis === undefined || millis === null) {
    return make("span", "–", "faint");
  }
  const made = make("time", "");
  made.dateTime = new Date(millis).toISOString();
  made.title = made.dateTime;
  Object.assign(made.dataset, { at: millis, before, after });
  tell(made);
  return made;
}

function tell(made) {
  const distance = Math.abs(Date.now() - Number(made.dataset.at));
  const text = made.dataset.before + span(distance) + made.dataset.after;
  if (made.textContent !== text) {
    made.textContent = text;
  }
}

function span(millis) {
  const seconds = Math.round(millis / 1000);
  if (seconds < 60) {
    return seconds + " s";
  }
  if (seconds < 3600) {
    return Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
  }
  return seconds < 172800
    ? Math.floor(seconds / 3600) + " h " + Math.floor((seconds % 3600) / 60) + " min"
    : Math.floor(seconds / 86400) + " days";
}

function micros(value) {
  return value < 1000 ? value + " µs" : value < 1e6 ? (value / 1000).toFixed(1) + " ms" : (value / 1e6).toFixed(1) + " s";
}

function bytes(value) {
  return value < 1024 ? value + " B" : value < 1048576 ? (value / 1024).toFixed(1) + " KiB" : (value / 1048576).toFixed(1) + " MiB";
}

/** Leads to the object, and can be copied as an address of its own. */
function link(controller, object) {
  const made = make("a", object);
  const there = new URLSearchParams({ controller, object });
  made.href = "?" + there;
  made.addEventListener("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      history.pushState(null, "", "?" + there);
      open({ controller, object });
    }
  });
  return made;
}

/** Each row has the text that it was made from: what is the same stays as it is, with its focus and selection. */
function fill(list, rows, build) {
  const before = [...list.children];
  rows.forEach((row, index) => {
    const text = JSON.stringify(row);
    if (before[index]?.source === text) {
      return;
    }
    const made = build(row);
    made.source = text;
    if (before[index]) {
      before[index].replaceWith(made);
    } else {
      list.append(made);
    }
  });
  before.slice(rows.length).forEach((old) => old.remove());
}

const sections = {
  operator(operator) {
    document.title = operator.name + " live";
    element("name").textContent = operator.name + " " + operator.version;
    const role = [operator.instance + ": " + operator.role + "; up ", age(operator.started, "", "")];
    if (operator.certificateExpires) {
      role.push("; certificate of the webhooks: ", age(operator.certificateExpires, "", " left"));
    }
    element("role").replaceChildren(...role);
    fill(element("flags"), Object.entries(operator.flags).flatMap(([name, value]) => [["dt", name], ["dd", value || "–"]]),
      ([kind, text]) => make(kind, text));
  },

  problems(problems) {
    const rows = problems.length ? problems : [{ none: true }];
    fill(element("problems"), rows, (problem) => {
      if (problem.none) {
        return make("li", "Nothing.", "none");
      }
      const what = [];
      if (problem.object) {
        what.push(problem.controller + " ", link(problem.controller, problem.object), ": ");
      }
      what.push(problem.what);
      if (problem.since) {
        what.push(" (", age(problem.since, "for ", ""), ")");
      }
      return make("li", [make("strong", what), make("span", problem.help, "help")], problem.severe ? "severe" : "notice");
    });
  },

  controllers(controllers) {
    fill(element("controllers"), controllers, (controller) => {
      const waiting = controller.waiting;
      const card = make("div", [
        make("h3", controller.name),
        make("p", controller.busy + " of " + controller.workers + " workers busy"),
        make("p", [
          "waiting: " + waiting.change + " by change, " + waiting.list + " by list, " + waiting.resync + " by resync; "
            + controller.delayed + " later",
          controller.oldest ? ["; the oldest since ", age(controller.oldest, "", "")] : [],
        ].flat(2), "faint"),
      ], "card");
      if (controller.inFlight.length) {
        card.append(make("ul", controller.inFlight.map((one) => make("li", [
          link(controller.name, one.object), " ", age(one.begun, "for ", ""),
          make("span", " because of " + one.why + (one.attempt > 1 ? ", attempt " + one.attempt : "")
            + (one.worker ? ", on " + one.worker : "") + (one.trace ? ", trace " + one.trace : ""), "faint"),
          one.overdue ? make("span", " overdue", "bad") : null,
        ]))));
      }
      if (controller.retrying.length) {
        card.append(make("ul", controller.retrying.map((one) => make("li", [
          link(controller.name, one.object), " failed " + one.failures + (one.failures === 1 ? " time" : " times") + ", again ",
          age(one.due, "in ", ""), one.error ? make("span", ": " + one.error, "bad") : null,
        ]))));
      }
      return card;
    });
  },

  shards(shards) {
    element("shared").hidden = shards.length === 0;
    fill(element("shards"), shards, (shard) => make("tr", [
      make("td", shard.member || "nobody", shard.member ? "" : "bad"),
      make("td", shard.template || "–"),
      make("td", shard.count + " of " + shard.of, "number"),
      make("td", (shard.buckets || "–") + (shard.leaves ? " (leaves)" : "")),
    ]));
  },

  streams(streams) {
    fill(element("streams"), streams, (stream) => make("tr", [
      make("td", stream.watch),
      make("td", stream.namespace || "all"),
      make("td", stream.failure ? stream.phase + ": " + stream.failure : stream.phase, stream.failure ? "bad" : ""),
      make("td", age(stream.lastSign), "number"),
      make("td", age(stream.lastBookmark), "number"),
      make("td", stream.resourceVersion || "–", "number"),
      make("td", stream.objects, "number"),
      make("td", bytes(stream.bytes), "number"),
      make("td", stream.relists ? stream.relists + " times, last: " + stream.relistReason : "never"),
    ]));
  },

  webhooks(reviews) {
    fill(element("webhooks"), reviews, (review) => make("tr", [
      make("td", age(review.at), "number"),
      make("td", review.webhook),
      make("td", review.operation + " " + review.kind + " " + (review.object || "without a name")
        + (review.dryRun ? " (dry run)" : "")),
      make("td", review.refusal ? "refused, " + review.code + ": " + review.refusal : "allowed", review.refusal ? "bad" : "good"),
      make("td", review.operations ? review.operations + " changes, " + bytes(review.bytes) : "–", "number"),
      make("td", micros(review.micros), "number"),
    ]));
  },
};

/** Where nobody answers, there is an answer that says so. */
async function ask(path, options = {}) {
  try {
    return await fetch(path, { ...options, headers: { Authorization: "Bearer " + token }, cache: "no-store" });
  } catch (unreachable) {
    return new Response("The operator cannot be reached.", { status: 503 });
  }
}

/** A printed token is good for one session, and changed for that one's; another is the cluster's, and good as it is. */
async function begin(given) {
  token = given;
  const answer = await ask("/live/session", { method: "POST" });
  if (answer.ok) {
    token = (await answer.json()).token;
    sessionStorage.setItem(SESSION, token);
  }
}

async function open(target) {
  chosen = target;
  element("content-of").open = false;
  element("object-title").textContent = target.controller + " " + target.object;
  element("done").textContent = "";
  element("object").hidden = false;
  await showPast();
  element("object").focus();
}

async function showPast() {
  const target = chosen;
  const answer = await ask("/live/object?" + new URLSearchParams(target));
  if (target !== chosen) {
    return;
  }
  if (!answer.ok) {
    element("done").textContent = await answer.text();
    return;
  }
  const { past, paused } = await answer.json();
  element("pause").textContent = paused ? "Resume" : "Pause";
  element("pause").dataset.action = paused ? "resume" : "pause";
  const rows = past.length ? past : [{ none: true }];
  fill(element("past"), rows, (one) => one.none
    ? make("li", "No reconcile is known: none has ended since the start, or too many have since then.", "faint")
    : make("li", [
      age(one.begun), ": ", make("strong", one.outcome), " after " + micros(one.took),
      make("span", ", waited " + micros(one.waited) + ", because of " + one.why
        + (one.attempt > 1 ? ", attempt " + one.attempt : "") + (one.delay ? ", again after " + span(one.delay) : "")
        + (one.trace ? ", trace " + one.trace : ""), "faint"),
      one.error ? make("div", one.error, "bad") : null,
      one.written.length
        ? make("ul", one.written.map((write) => make("li", make("code", write.method + " " + write.path
          + " → " + (write.code || "no answer")))))
        : null,
      one.unlisted ? make("div", "and " + one.unlisted + " more", "faint") : null,
    ], one.error ? "failed" : ""));
}

/** As the operator holds it, which the server tells to who may read it. */
async function showContent() {
  if (!element("content-of").open || !chosen) {
    return;
  }
  const target = chosen;
  element("left-out").textContent = "";
  element("text").textContent = "";
  const answer = await ask("/live/content?" + new URLSearchParams(target));
  const { leftOut, text } = answer.ok ? await answer.json() : { leftOut: "", text: await answer.text() };
  if (target === chosen) {
    element("left-out").textContent = leftOut && "Left out by the watch: " + leftOut;
    element("text").textContent = text;
  }
}

function hide() {
  chosen = null;
  element("object").hidden = true;
}

function close() {
  hide();
  history.pushState(null, "", location.pathname);
  element("find").focus();
}

async function find(event) {
  event.preventDefault();
  const answer = await ask("/live/objects?" + new URLSearchParams({ find: element("find").value.trim() }));
  const found = answer.ok ? await answer.json() : [];
  element("found").replaceChildren(...(found.length
    ? found.map((one) => make("li", [one.controller + " ", link(one.controller, one.object)]))
    : [make("li", answer.ok ? "None of whom a reconcile is known." : await answer.text(), "faint")]));
}

/** What is done to the chosen object is the server's to allow. */
async function act(action, told) {
  const answer = await ask("/live/" + action + "?" + new URLSearchParams(chosen), { method: "POST" });
  element("done").textContent = answer.ok ? told : await answer.text();
  if (answer.ok) {
    setTimeout(() => chosen && showPast(), AGES);
  }
}

function connection(text, lost) {
  element("connection").textContent = text;
  element("connection").classList.toggle("lost", lost);
}

/** Why nothing can be shown; the person can give another token. */
function signIn(why) {
  element("content").hidden = true;
  element("sign-in").hidden = false;
  element("refusal").textContent = why;
  connection("not signed in", false);
  element("token").focus();
}

/** The events of one answer: lines of a field each, up to an empty one. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    const whole = (rest + value).split("\n\n");
    rest = whole.pop();
    for (const event of whole) {
      const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: (.*)/s, 2)));
      yield fields.event ? { name: fields.event, data: JSON.parse(fields.data) } : { name: "", data: null };
    }
  }
}

async function look() {
  const answer = await ask("/live/events");
  if (answer.status === 401 || answer.status === 403) {
    signIn(token ? await answer.text() : "");
    return false;
  }
  if (!answer.ok) {
    throw new Error("status " + answer.status);
  }
  element("sign-in").hidden = true;
  element("content").hidden = false;
  connection("live", false);
  if (!chosen) {
    chosenByAddress();
  }
  for await (const event of events(answer.body)) {
    sections[event.name]?.(event.data);
    if (event.name === "controllers" && chosen) {
      await showPast();
    }
  }
  return true;
}

async function keepLooking() {
  for (;;) {
    try {
      if (!(await look())) {
        return;
      }
    } catch (lost) {
      connection("the operator cannot be reached; what is shown is what was last seen", true);
      await new Promise((later) => setTimeout(later, AGAIN));
    }
  }
}

function chosenByAddress() {
  const there = new URLSearchParams(location.search);
  if (there.get("controller") && there.get("object")) {
    open({ controller: there.get("controller"), object: there.get("object") });
  } else {
    hide();
  }
}

element("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = element("token").value.trim();
  element("token").value = "";
  begin(given).then(keepLooking);
});
element("search").addEventListener("submit", find);
element("reconcile").addEventListener("click", () => act("reconcile", "It is queued."));
element("pause").addEventListener("click", () => element("pause").dataset.action === "resume"
  ? act("resume", "It is reconciled again.")
  : act("pause", "It is not reconciled until it is resumed."));
element("content-of").addEventListener("toggle", showContent);
element("close").addEventListener("click", close);
addEventListener("popstate", chosenByAddress);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && chosen) {
    close();
  }
});
setInterval(() => document.querySelectorAll("time").forEach(tell), AGES);

// What stands after # in the printed address; a browser sends that to nobody.
const printed = decodeURIComponent(location.hash.slice(1));
if (printed) {
  history.replaceState(null, "", location.pathname + location.search);
  await begin(printed);
}
keepLooking();
