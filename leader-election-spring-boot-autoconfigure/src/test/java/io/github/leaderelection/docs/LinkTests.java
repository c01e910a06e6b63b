package io.github.leaderelection.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links lead somewhere, and every page is found from the README. */
class LinkTests {

    private static final int MOST_BYTES_OF_THE_README = 12_000;
    private static final int MOST_BYTES_WITHOUT_CONTENTS = 4_000;

    static List<Page> pages() {
        return Stream.concat(
                        Page.all().stream(),
                        Stream.of("CONTRIBUTING.md", "benchmarks/README.md")
                                .map(name -> Page.of(Page.ROOT.resolve(name))))
                .toList();
    }

    static List<Page> docs() {
        return Page.docs();
    }

    @Test
    void theReadmeIsShort() throws Exception {
        assertThat(Files.size(Page.readme().file())).isLessThanOrEqualTo(MOST_BYTES_OF_THE_README);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Page page) {
        assertThat(page.prose().links()).allSatisfy(link -> verify(page, link));
    }

    private static void verify(Page page, String link) {
        if (link.contains("://")) {
            assertThat(link).startsWith("https://");
            return;
        }
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? page.file()
                : page.file().resolveSibling(parts[0]).normalize();
        assertThat(target).exists().startsWith(Page.ROOT);
        if (parts.length > 1) {
            assertThat(Page.of(target).headings())
                    .extracting(Page.Heading::anchor)
                    .contains(parts[1]);
        }
    }

    @ParameterizedTest
    @MethodSource("docs")
    void aPageIsFoundFromTheReadmeAndLinksBack(Page page) {
        assertThat(Page.readme().prose().links()).contains("docs/" + page.file().getFileName());
        assertThat(page.introduction().links()).contains("../README.md");
    }

    @ParameterizedTest
    @MethodSource("docs")
    void aLongPageBeginsWithItsContents(Page page) {
        List<String> sections = page.headings().stream()
                .filter(heading -> heading.level() == 2)
                .map(heading -> "#" + heading.anchor())
                .toList();
        List<String> contents = page.introduction().links().stream()
                .filter(link -> link.startsWith("#"))
                .toList();
        if (page.text().length() > MOST_BYTES_WITHOUT_CONTENTS || !contents.isEmpty()) {
            assertThat(contents).isEqualTo(sections);
        }
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        Page page = Page.docs("programming-model.md");
        assertThat(page.headings())
                .extracting(Page.Heading::anchor)
                .contains("leaderonly", "the-election-api", "what-fails-the-startup");
        assertThat(Page.readme().headings())
                .extracting(Page.Heading::anchor)
                .contains("what-it-guarantees-and-what-it-does-not");
    }
}
