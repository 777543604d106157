package io.busbar.reconciler.shard;

import io.busbar.common.ResourceVersions;
import io.busbar.reconciler.shard.ShardMap.Heir;
import io.busbar.reconciler.shard.ShardMap.Member;
import io.busbar.reconciler.shard.ShardMap.Told;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a map should come to, as one member sees it: who is to have how many buckets, and who gets what has no holder.
 *
 * <ul>
 *   <li>Members differ by one bucket at most. Who has more already keeps the one that is left over, so that a join
 *       moves the ideal share and no more.
 *   <li>What nobody living holds goes to who has least.
 *   <li>Only members of the newest template are given anything: those of older ones are about to go.
 *   <li>What a member has to part with gets an heir first, who keeps that part until then.
 * </ul>
 *
 * <p>For one thread, and one decision.
 */
final class Shares {

    private final List<Member> members;
    private final List<String> holders;
    private final List<Heir> heirs;
    private final Map<Integer, Long> toldSince;
    private final Map<String, String> written;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Integer> quotas = new HashMap<>();
    private final List<String> receivers;

    /**
     * @param members those that live, in the order in which they have joined
     */
    Shares(List<Member> members, ShardMap map) {
        this.members = members;
        this.holders = new ArrayList<>(map.holders());
        this.heirs = new ArrayList<>(map.heirs());
        this.toldSince = new HashMap<>(map.told().since());
        this.written = new HashMap<>(map.told().versions());
        List<Member> stay = members.stream().filter(one -> !one.leaves()).toList();
        String newest = stay.isEmpty() ? "" : stay.get(stay.size() - 1).template();
        this.receivers = stay.stream()
                .filter(one -> one.template().equals(newest))
                .map(Member::name)
                .toList();
        members.forEach(one -> counts.put(one.name(), 0));
        this.holders.replaceAll(holder -> counts.containsKey(holder) ? holder : "");
        this.heirs.replaceAll(heir -> counts.containsKey(heir.name()) ? heir : Heir.NONE);
        this.holders.stream()
                .filter(holder -> !holder.isEmpty())
                .forEach(holder -> counts.merge(holder, 1, Integer::sum));
        adopt();
        stay.forEach(one -> quotas.put(one.name(), holders.size() / stay.size()));
        if (!stay.isEmpty()) {
            int more = holders.size() / stay.size() + 1;
            stay.stream()
                    .map(Member::name)
                    .sorted(Comparator.<String>comparingInt(name -> -Math.min(more, count(name)))
                            .thenComparing(Comparator.naturalOrder()))
                    .limit(holders.size() % stay.size())
                    .forEach(name -> quotas.put(name, more));
        }
    }

    private int count(String name) {
        return counts.getOrDefault(name, 0);
    }

    private int quota(String name) {
        return quotas.getOrDefault(name, 0);
    }

    private void adopt() {
        for (int bucket = 0; bucket < holders.size(); bucket++) {
            if (holders.get(bucket).isEmpty()) {
                int orphan = bucket;
                leastReceiver().ifPresent(next -> move(orphan, next));
            }
        }
    }

    private Optional<String> leastReceiver() {
        return receivers.stream()
                .min(Comparator.<String>comparingInt(this::count).thenComparing(Comparator.naturalOrder()));
    }

    private void move(int bucket, String next) {
        counts.computeIfPresent(holders.get(bucket), (holder, count) -> count - 1);
        counts.computeIfPresent(next, (holder, count) -> count + 1);
        holders.set(bucket, next);
        heirs.set(bucket, Heir.NONE);
        toldSince.remove(bucket);
    }

    /** Of how many buckets a member has to part. */
    int surplus(String name) {
        Integer quota = quotas.get(name);
        if (quota == null) {
            return count(name);
        }
        int wanted = receivers.stream()
                .filter(other -> !other.equals(name))
                .mapToInt(other -> Math.max(0, quota(other) - count(other) - promised(other, name)))
                .sum();
        return Math.min(wanted, Math.max(0, count(name) - quota));
    }

    /** How many buckets a member is to get from others than one. */
    private int promised(String heir, String butFrom) {
        int promised = 0;
        for (int bucket = 0; bucket < heirs.size(); bucket++) {
            if (heirs.get(bucket).name().equals(heir) && !holders.get(bucket).equals(butFrom)) {
                promised++;
            }
        }
        return promised;
    }

    /** How many buckets a member has, and is to get. */
    private int due(String name) {
        return count(name) + promised(name, "");
    }

    /**
     * Names the heirs of a member's buckets. Who is named already stays, if it still may have the bucket.
     *
     * @param leaving all that it has to part with
     */
    void promise(String giver, Set<Integer> leaving) {
        boolean goes = !quotas.containsKey(giver);
        List<Integer> open = new ArrayList<>();
        for (int bucket = 0; bucket < holders.size(); bucket++) {
            if (!holders.get(bucket).equals(giver)) {
                continue;
            }
            String heir = heirs.get(bucket).name();
            boolean stays = leaving.contains(bucket)
                    && receivers.contains(heir)
                    && !heir.equals(giver)
                    && (goes || due(heir) <= quota(heir));
            if (!stays) {
                heirs.set(bucket, Heir.NONE);
                if (leaving.contains(bucket)) {
                    open.add(bucket);
                }
            }
        }
        for (int bucket : open) {
            receivers.stream()
                    .filter(other -> !other.equals(giver) && (goes || due(other) < quota(other)))
                    .min(Comparator.comparingInt(this::due).thenComparing(Comparator.naturalOrder()))
                    .ifPresent(heir -> heirs.set(bucket, new Heir(heir, false)));
        }
    }

    /** Who is to have a bucket next. */
    Heir heir(int bucket) {
        return heirs.get(bucket);
    }

    /** A member says that it keeps, from now on, what is in the buckets that it is to get. */
    void ready(String name, Set<Integer> buckets) {
        for (int bucket : buckets) {
            if (heirs.get(bucket).name().equals(name)) {
                heirs.set(bucket, new Heir(name, true));
            }
        }
    }

    /**
     * Gives buckets to their heirs; those of a member that leaves to nobody where there is nobody to have them.
     *
     * @param told what the giver has written
     */
    void give(String giver, Set<Integer> buckets, Told told) {
        for (int bucket : buckets) {
            String heir = heirs.get(bucket).name();
            if (!heir.isEmpty() || !quotas.containsKey(giver)) {
                move(bucket, heir);
                Long since = told.since().get(bucket);
                if (since != null) {
                    toldSince.put(bucket, since);
                    told.versions().forEach((type, version) -> written.merge(type, version, ResourceVersions::newer));
                }
            }
        }
    }

    /** The map as it comes to, without members that have left. */
    ShardMap map(long generation) {
        return new ShardMap(
                generation,
                members.stream()
                        .filter(one -> !one.leaves() || count(one.name()) > 0)
                        .toList(),
                holders,
                heirs,
                new Told(toldSince, written));
    }
}
