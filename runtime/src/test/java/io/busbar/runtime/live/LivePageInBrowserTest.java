package io.busbar.runtime.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** As people see it, in a Chromium of this machine; left out where there is none. */
@TestInstance(Lifecycle.PER_CLASS)
class LivePageInBrowserTest {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private LiveOperator operator;
    private ChromeDriver browser;

    @BeforeAll
    void open() throws Exception {
        assumeTrue(Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER), "needs " + BROWSER + " and " + DRIVER);
        operator = new LiveOperator(true);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
        options.setAcceptInsecureCerts(true);
        ChromeDriverService driver = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build();
        browser = new ChromeDriver(driver, options);
    }

    @BeforeEach
    void look() throws Exception {
        browser.get("about:blank"); // where only what stands behind # differs, nothing is loaded
        browser.get(operator.address());
        eventually(() -> assertThat(text("#connection")).isEqualTo("live"));
    }

    @AfterEach
    void nothing_was_run_that_came_in_a_message() {
        if (browser != null) {
            eventually(() -> assertThat(browser.getTitle()).isEqualTo("shop live"));
        }
    }

    @AfterAll
    void close() throws Exception {
        if (browser != null) {
            browser.quit();
        }
        if (operator != null) {
            operator.close();
        }
    }

    @Test
    void the_token_is_not_left_in_the_address() {
        assertThat(browser.getCurrentUrl()).isEqualTo("http://127.0.0.1:" + operator.port() + "/live");
        assertThat(browser.manage().getCookies()).isEmpty();
    }

    @Test
    void a_stuck_reconcile_appears_and_leaves_when_it_ends() {
        operator.hold("stuck");
        operator.createMap("stuck");
        eventually(() -> assertThat(text("#problems")).contains("maps default/stuck: the reconcile takes long (for "));
        assertThat(text("#controllers")).contains("default/stuck", "because of added ConfigMap default/stuck");

        operator.release("stuck");
        eventually(() -> assertThat(text("#problems")).doesNotContain("stuck"));
    }

    @Test
    void a_refused_review_appears_with_its_reason_as_text() {
        assertThatThrownBy(() ->
                        operator.client.resource(LiveOperator.secret("bad")).create())
                .isInstanceOf(KubernetesClientException.class);

        eventually(() -> assertThat(text("#webhooks tr:first-child"))
                .contains("create Secret default/bad", "refused, 403: <img src=x onerror="));
        assertThat(browser.findElements(By.cssSelector("img, #webhooks script")))
                .isEmpty();
    }

    @Test
    void an_object_is_found_and_reconciled_by_keyboard() {
        operator.createMap("found-by-name");
        WebElement find = browser.findElement(By.id("find"));
        eventually(() -> {
            find.clear();
            find.sendKeys("found-by" + Keys.ENTER);
            assertThat(text("#found")).isEqualTo("maps default/found-by-name");
        });

        String past = "because of added ConfigMap default/found-by-name";
        eventually(() -> {
            // A search of before may replace the link before the key gets there.
            if (!text("#past").contains(past)) {
                browser.findElement(By.cssSelector("#found a")).sendKeys(Keys.ENTER);
            }
            assertThat(text("#past")).contains(past);
        });
        assertThat(browser.getCurrentUrl()).endsWith("?controller=maps&object=default%2Ffound-by-name");
        assertThat(browser.switchTo().activeElement().getDomAttribute("id")).isEqualTo("object");
        browser.findElement(By.id("reconcile")).sendKeys(Keys.ENTER);
        eventually(() -> assertThat(text("#past")).contains("because of source by-hand"));
        browser.switchTo().activeElement().sendKeys(Keys.ESCAPE);
        eventually(() ->
                assertThat(browser.findElement(By.id("object")).isDisplayed()).isFalse());
    }

    @Test
    void a_session_outlives_that_the_page_is_loaded_again() {
        browser.navigate().refresh();
        eventually(() -> assertThat(text("#connection")).isEqualTo("live"));
    }

    @Test
    void the_content_of_an_object_is_shown_as_text() {
        operator.createMap("content");
        eventually(() -> assertThat(operator.client
                        .configMaps()
                        .inNamespace("default")
                        .withName("content")
                        .get())
                .isNotNull());
        browser.get("http://127.0.0.1:" + operator.port() + "/live?controller=maps&object=default/content");
        eventually(() -> assertThat(text("#past")).contains("because of "));
        browser.findElement(By.cssSelector("#content-of summary")).click();
        eventually(() -> assertThat(text("#content-of"))
                .contains(
                        "Left out by the watch: metadata.managedFields", "kind: \"ConfigMap\"", "<img src=x onerror="));
    }

    @Test
    void who_has_no_token_is_asked_for_one_and_told_why_it_is_refused() throws Exception {
        browser.executeScript("sessionStorage.clear()");
        browser.get("about:blank");
        browser.get("http://127.0.0.1:" + operator.port() + "/live");
        WebElement token = browser.findElement(By.id("token"));
        eventually(() -> assertThat(token.isDisplayed()).isTrue());
        token.sendKeys("a wrong one" + Keys.ENTER);
        eventually(() -> assertThat(text("#refusal")).contains("the address that was printed last is needed"));
        String address = operator.address();
        token.sendKeys(address.substring(address.indexOf('#') + 1) + Keys.ENTER);
        eventually(() -> assertThat(text("#connection")).isEqualTo("live"));
        assertThat(token.isDisplayed()).isFalse();
    }

    @Test
    void who_may_look_but_not_update_is_told_so() throws Exception {
        try (LiveOperator inCluster = new LiveOperator(false)) {
            inCluster.createMap("guarded");
            browser.get("https://127.0.0.1:" + inCluster.port() + "/live?controller=maps&object=default/guarded");
            WebElement token = browser.findElement(By.id("token"));
            eventually(() -> assertThat(token.isDisplayed()).isTrue());
            token.sendKeys(inCluster.account("anyone", Optional.empty()) + Keys.ENTER);
            eventually(() -> assertThat(text("#refusal")).contains("default:anyone may not get /live"));
            token.sendKeys(inCluster.account("reader", Optional.of("live-reader")) + Keys.ENTER);
            eventually(() -> assertThat(text("#past")).contains("because of "));

            for (String action : List.of("reconcile", "pause")) {
                browser.findElement(By.id(action)).click();
                eventually(() -> assertThat(text("#done"))
                        .isEqualTo("Forbidden: system:serviceaccount:default:reader may not update configmaps"
                                + " default/guarded; the kind's editor role allows it"));
            }
        }
    }

    /** With a problem, an object and a refusal in it; in both colours. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void keyboards_and_screen_readers_get_all_of_it(String colours) throws Exception {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
        operator.hold("shown-" + colours);
        operator.createMap("shown-" + colours);
        operator.createMap("bad-" + colours);
        eventually(() -> assertThat(text("#problems")).contains("shown-" + colours, "has failed"));
        browser.findElement(By.cssSelector("#problems .notice a")).click();
        eventually(() ->
                assertThat(browser.findElement(By.id("object")).isDisplayed()).isTrue());

        Object violations;
        try (InputStream axe = Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))) {
            // The page's own policy allows no script but its own: this one comes in by the driver.
            browser.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
            violations = browser.executeAsyncScript("const done = arguments[0]; axe.run().then("
                    + "found => done(found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html))),"
                    + "failed => done([String(failed)]))");
        }
        screenshot(colours);
        operator.release("shown-" + colours);
        assertThat(violations).isEqualTo(List.of());
    }

    private void screenshot(String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve("live-" + name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    private String text(String selector) {
        return browser.findElement(By.cssSelector(selector)).getText();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptions() // of elements that have just been replaced
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(assertion);
    }
}
