package io.github.leaderelection.zookeeper.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many elections each connection should lead, and who gives how many to whom. All connections that see the same loads
 * compute the same, so that each of them carries out its own part without asking the others: surpluses and gaps are laid side
 * by side, in the order of the connections' names, and each surplus fills the gaps that lie beside it, the first ones first.
 * What has moved already is missing on both sides, so that the others' parts stay where they are.
 *
 * @param targets how many elections each connection should lead
 * @param gifts how many elections one connection gives to each of the others, in the order in which it does so
 */
record Shares(Map<String, Integer> targets, Map<String, Integer> gifts) {

    /**
     * @param giver the connection whose part is wanted
     * @param loads how many elections each connection leads, the giver among them
     * @param total how many elections there are
     */
    static Shares of(String giver, Map<String, Integer> loads, int total) {
        Map<String, Integer> targets = targets(loads, total);
        int surplus = 0;
        int first = 0;
        int last = 0;
        int gap = 0;
        Map<String, Integer> gaps = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> load : new TreeMap<>(loads).entrySet()) {
            String connection = load.getKey();
            int difference = load.getValue() - targets.getOrDefault(connection, 0);
            if (connection.equals(giver)) {
                first = surplus;
                last = surplus + Math.max(0, difference);
            }
            surplus += Math.max(0, difference);
            gap += Math.max(0, -difference);
            gaps.put(connection, gap);
        }
        Map<String, Integer> gifts = new LinkedHashMap<>();
        int begin = 0;
        for (Map.Entry<String, Integer> end : gaps.entrySet()) {
            int gift = Math.min(last, end.getValue()) - Math.max(first, begin);
            if (gift > 0) {
                gifts.put(end.getKey(), gift);
            }
            begin = end.getValue();
        }
        return new Shares(targets, gifts);
    }

    /** Those that lead most may lead one more than the others: so nothing moves if the loads differ by one. */
    private static Map<String, Integer> targets(Map<String, Integer> loads, int total) {
        List<String> order = new ArrayList<>(loads.keySet());
        order.sort(Comparator.<String>comparingInt(loads::get).reversed().thenComparing(Comparator.naturalOrder()));
        Map<String, Integer> targets = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            targets.put(order.get(i), total / order.size() + (i < total % order.size() ? 1 : 0));
        }
        return targets;
    }
}
