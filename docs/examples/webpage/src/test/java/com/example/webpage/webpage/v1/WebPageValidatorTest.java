package com.example.webpage.webpage.v1;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.FieldProblem;
import io.busbar.admission.Verdict;
import org.junit.jupiter.api.Test;

class WebPageValidatorTest {

    @Test
    void allows_a_page_with_a_title() {
        assertThat(verdict("<html><head><TITLE>any</TITLE></head></html>").problems()).isEmpty();
    }

    @Test
    void refuses_a_page_without_a_title() {
        assertThat(verdict("<body>no head</body>").problems())
                .extracting(FieldProblem::path)
                .containsExactly("spec.html");
    }

    private static Verdict verdict(String html) {
        WebPage webPage = new WebPage();
        webPage.setSpec(new WebPageSpec(html));
        return new WebPageValidator().create(webPage, null);
    }
}
