package io.busbar.reconciler.shard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who holds which bucket.
 *
 * <p>Immutable.
 *
 * @param generation one more with each change
 * @param members in the order in which they have joined
 * @param holders of each bucket; empty text for nobody
 */
public record ShardMap(long generation, List<Member> members, List<String> holders) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A replica that shares the work.
     *
     * @param name of its Lease; no other process ever has it
     * @param template of its Pod, such as the hash that a Deployment gives; empty if unknown
     * @param epoch which is another each time that it goes on after it could not renew its Lease in time
     * @param leaves whether it gives away all that it has
     */
    public record Member(String name, String template, long epoch, boolean leaves) {}

    public ShardMap {
        members = List.copyOf(members);
        holders = List.copyOf(holders);
    }

    /** Of no members. */
    static ShardMap empty(int buckets) {
        return new ShardMap(0, List.of(), Collections.nCopies(buckets, ""));
    }

    /** One of them by its name. */
    public Optional<Member> member(String name) {
        return members.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** How many buckets each name has that has any. */
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        holders.forEach(holder -> counts.merge(holder, 1, Integer::sum));
        counts.remove("");
        return counts;
    }

    /** Whether both say the same, whatever their generations. */
    boolean says(ShardMap other) {
        return members.equals(other.members) && holders.equals(other.holders);
    }

    /** As it is kept in an annotation, for people too: each member with the ranges that it holds. */
    String text() {
        ObjectNode map = JSON.createObjectNode().put("generation", generation).put("buckets", holders.size());
        for (Member member : members) {
            ObjectNode one = map.withArray("members").addObject();
            one.put("name", member.name()).put("template", member.template()).put("epoch", member.epoch());
            if (member.leaves()) {
                one.put("leaves", true);
            }
            one.put("holds", ranges(member.name()));
        }
        return map.toString();
    }

    /**
     * What a member holds, for people.
     *
     * @return such as {@code 0-20,63}; empty for nothing
     */
    public String ranges(String holder) {
        List<String> ranges = new ArrayList<>();
        for (int from = 0; from < holders.size(); from++) {
            if (holders.get(from).equals(holder)) {
                int to = from;
                while (to + 1 < holders.size() && holders.get(to + 1).equals(holder)) {
                    to++;
                }
                ranges.add(from == to ? "" + from : from + "-" + to);
                from = to;
            }
        }
        return String.join(",", ranges);
    }

    /**
     * Reads the text of an annotation.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static ShardMap parse(String text) {
        try {
            JsonNode map = JSON.readTree(text);
            int buckets = map.path("buckets").asInt();
            if (!Buckets.isAllowed(buckets)) {
                throw new IllegalArgumentException("buckets: " + buckets + ", allowed: a power of two up to 1024");
            }
            List<Member> members = new ArrayList<>();
            List<String> holders = new ArrayList<>(Collections.nCopies(buckets, ""));
            for (JsonNode one : map.path("members")) {
                Member member = new Member(
                        one.path("name").asText(),
                        one.path("template").asText(),
                        one.path("epoch").asLong(),
                        one.path("leaves").asBoolean());
                members.add(member);
                fill(holders, one.path("holds").asText(), member.name());
            }
            return new ShardMap(map.path("generation").asLong(), members, holders);
        } catch (JsonProcessingException | NumberFormatException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException("no map of shards: " + wrong.getMessage(), wrong);
        }
    }

    private static void fill(List<String> holders, String ranges, String holder) {
        for (String range : ranges.isEmpty() ? new String[0] : ranges.split(",")) {
            int dash = range.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int to = dash < 0 ? from : Integer.parseInt(range.substring(dash + 1));
            for (int bucket = from; bucket <= to; bucket++) {
                holders.set(bucket, holder);
            }
        }
    }
}
