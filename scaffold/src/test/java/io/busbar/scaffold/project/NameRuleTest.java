package io.busbar.scaffold.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameRuleTest {

    @Test
    void kinds_are_words_that_begin_with_a_capital() {
        allows(NameRule.KIND, "Crate", "MySQLCluster", "A", "Switch", "Process");
        refuses(
                NameRule.KIND,
                "",
                "crate",
                "Crate_",
                "Über",
                "My-Kind",
                "1Crate",
                "K".repeat(64),
                "String",
                "Condition");
    }

    @Test
    void versions_are_those_of_kubernetes() {
        allows(NameRule.VERSION, "v1", "v2beta1", "v1alpha3", "v10");
        refuses(NameRule.VERSION, "", "1", "v0", "v1beta", "V1", "v1gamma1", "v1.2", "v01", "v1alpha0");
    }

    @Test
    void domains_and_groups_are_dns_names() {
        allows(NameRule.DOMAIN, "example.com", "my.domain", "a", "1a.b-c");
        refuses(
                NameRule.DOMAIN,
                "",
                "Example.com",
                "example..com",
                ".com",
                "a_b",
                "-a.b",
                "a-",
                "l".repeat(64) + ".com");
        allows(NameRule.GROUP, "", "shop", "shop.eu");
        refuses(NameRule.GROUP, "Shop", "shop.", "a/b");
    }

    @Test
    void packages_are_javas() {
        allows(NameRule.REPO, "com.example.shop", "shop", "my_shop.v1");
        refuses(
                NameRule.REPO,
                "",
                "com.example.class",
                "Com.Example",
                "com..example",
                "1com",
                "java.shop",
                "java",
                "a.b-c");
    }

    @Test
    void names_of_projects_leave_room() {
        allows(NameRule.PROJECT, "shop", "flower-shop-operator", "a");
        refuses(NameRule.PROJECT, "", "Shop", "1shop", "shop-", "s".repeat(31));
    }

    private static void allows(NameRule rule, String... names) {
        assertThat(List.of(names)).allMatch(rule::allows);
    }

    private static void refuses(NameRule rule, String... names) {
        assertThat(List.of(names)).noneMatch(rule::allows);
    }
}
