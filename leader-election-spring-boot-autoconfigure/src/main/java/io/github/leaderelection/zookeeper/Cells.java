package io.github.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The elections of one connection, by their paths. */
final class Cells {

    private final Map<String, Cell> latest = new HashMap<>();
    /** Those at whose path another one has been opened since: mostly they are on their way out, and there are none. */
    private final List<Cell> earlier = new ArrayList<>();

    void add(Cell cell) {
        Cell before = latest.put(cell.path(), cell);
        if (before != null) {
            earlier.add(before);
        }
    }

    void remove(Cell cell) {
        if (!latest.remove(cell.path(), cell)) {
            earlier.remove(cell);
        }
    }

    /** A copy: whoever is told of something may be gone afterwards. */
    List<Cell> all() {
        List<Cell> all = new ArrayList<>(latest.values());
        all.addAll(earlier);
        return all;
    }

    List<Cell> at(String path) {
        List<Cell> found = new ArrayList<>(1);
        Cell current = latest.get(path);
        if (current != null) {
            found.add(current);
        }
        for (Cell cell : earlier) {
            if (cell.path().equals(path)) {
                found.add(cell);
            }
        }
        return found;
    }
}
