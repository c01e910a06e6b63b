package io.github.leaderelection.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation, taken apart into what the tests look at. */
final class Page {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern FENCE = Pattern.compile("^ *```(.*)$");
    private static final Pattern HEADING = Pattern.compile("^(#+) +(.+)$");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)\\s]+)\\)");
    private static final Pattern NOT_IN_ANCHORS =
            Pattern.compile("[^\\p{L}\\p{M}\\p{Nd}\\p{Pc}\\- ]", Pattern.UNICODE_CHARACTER_CLASS);

    /** A fenced block. */
    record Block(String language, String text) {}

    record Heading(int level, String text, String anchor) {}

    private final Path file;
    private final String text;
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> prose = new ArrayList<>();
    private final List<Heading> headings = new ArrayList<>();

    private Page(Path file) {
        this.file = file;
        this.text = read(file);
        parse();
    }

    static Page readme() {
        return new Page(ROOT.resolve("README.md"));
    }

    /** A page in the folder {@code docs}. */
    static Page docs(String name) {
        return new Page(ROOT.resolve("docs").resolve(name));
    }

    /** The pages in the folder {@code docs}. */
    static List<Page> docs() {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Page::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The README and the pages in the folder {@code docs}. */
    static List<Page> all() {
        return Stream.concat(Stream.of(readme()), docs().stream()).toList();
    }

    static Page of(Path file) {
        return new Page(file);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void parse() {
        String language = null;
        StringBuilder block = new StringBuilder();
        for (String line : text.lines().toList()) {
            Matcher fence = FENCE.matcher(line);
            if (fence.matches() && language == null) {
                language = fence.group(1).strip();
                block.setLength(0);
            } else if (fence.matches()) {
                blocks.add(new Block(language, block.toString()));
                language = null;
            } else if (language != null) {
                block.append(line).append('\n');
            } else {
                prose.add(line);
            }
        }
        if (language != null) {
            throw new IllegalStateException("A block is not closed in " + file);
        }
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String title = LINK.matcher(heading.group(2)).replaceAll("$1");
                headings.add(new Heading(heading.group(1).length(), title, anchor(title, seen)));
            }
        }
    }

    /** As GitHub makes it: a second heading of the same text gets a number. */
    private static String anchor(String title, Map<String, Integer> seen) {
        String anchor = NOT_IN_ANCHORS
                .matcher(title.toLowerCase(Locale.ROOT))
                .replaceAll("")
                .replace(' ', '-');
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        return before == 0 ? anchor : anchor + "-" + before;
    }

    Path file() {
        return file;
    }

    String text() {
        return text;
    }

    List<Block> blocks() {
        return blocks;
    }

    List<String> blocks(String language) {
        return blocks.stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text)
                .toList();
    }

    List<Heading> headings() {
        return headings;
    }

    /** The text before the first section. */
    Page.Text introduction() {
        int first = 0;
        while (first < prose.size() && !prose.get(first).startsWith("## ")) {
            first++;
        }
        return new Text(prose.subList(0, first));
    }

    /** Everything but the blocks. */
    Text prose() {
        return new Text(prose);
    }

    /** The rows of the table with these columns, cell by cell. */
    List<List<String>> table(String... columns) {
        String header = "| " + String.join(" | ", columns) + " |";
        int start = prose.indexOf(header);
        if (start < 0) {
            throw new IllegalStateException("There is no table %s in %s".formatted(header, file));
        }
        return prose.stream()
                .skip(start + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .map(Page::cells)
                .toList();
    }

    private static List<String> cells(String row) {
        return Stream.of(row.substring(1, row.length() - 1).split("(?<!\\\\)\\|"))
                .map(String::strip)
                .toList();
    }

    static List<String> code(String text) {
        return CODE.matcher(text).results().map(result -> result.group(1)).toList();
    }

    @Override
    public String toString() {
        return ROOT.relativize(file).toString();
    }

    /** Some lines of prose. */
    record Text(List<String> lines) {

        List<String> code() {
            return Page.code(String.join("\n", lines));
        }

        /** The targets of links and pictures. */
        List<String> links() {
            String withoutCode = CODE.matcher(String.join("\n", lines)).replaceAll("code");
            return LINK.matcher(withoutCode)
                    .results()
                    .map(result -> result.group(2))
                    .toList();
        }
    }
}
