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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Who holds which bucket.
 *
 * <p>Immutable.
 *
 * @param generation one more with each change
 * @param members in the order in which they have joined
 * @param holders of each bucket; empty text for nobody
 * @param heirs of each bucket: who is to have it next, as its holder says
 * @param told what those who gave buckets away have written
 */
public record ShardMap(long generation, List<Member> members, List<String> holders, List<Heir> heirs, Told told) {

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

    /**
     * Who is to have a bucket next.
     *
     * @param name empty for nobody
     * @param ready whether the watches of that member show what is in the bucket, as it says itself
     */
    public record Heir(String name, boolean ready) {

        static final Heir NONE = new Heir("", false);
    }

    /**
     * What was written by those who gave buckets away, so that who gets them need not look for it among all objects.
     *
     * @param since by bucket: whatever the holder before has written after a map of this generation is older than
     *     {@code versions} say, or as old; a bucket is missing of which that is not known
     * @param versions the newest resourceVersion of each type, such as {@code statefulsets.apps}
     */
    public record Told(Map<Integer, Long> since, Map<String, String> versions) {

        static final Told NOTHING = new Told(Map.of(), Map.of());

        public Told {
            since = Map.copyOf(since);
            versions = Map.copyOf(versions);
        }
    }

    public ShardMap {
        members = List.copyOf(members);
        holders = List.copyOf(holders);
        heirs = List.copyOf(heirs);
    }

    /** Where nothing is to be given away. */
    public ShardMap(long generation, List<Member> members, List<String> holders) {
        this(generation, members, holders, Collections.nCopies(holders.size(), Heir.NONE), Told.NOTHING);
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
        return members.equals(other.members) && holders.equals(other.holders) && heirs.equals(other.heirs);
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
            putIfAny(one, "gets", ranges(heirs, new Heir(member.name(), false)));
            putIfAny(one, "getsReady", ranges(heirs, new Heir(member.name(), true)));
        }
        new TreeSet<>(told.since().values())
                .forEach(since -> map.withObject("/toldSince").put("" + since, ranges(toldSince(), since)));
        new TreeMap<>(told.versions())
                .forEach((type, version) -> map.withObject("/written").put(type, version));
        return map.toString();
    }

    /**
     * What a member holds, for people.
     *
     * @return such as {@code 0-20,63}; empty for nothing
     */
    public String ranges(String holder) {
        return ranges(holders, holder);
    }

    /**
     * What a member is to get, for people.
     *
     * @return such as {@code 0-20,63}; empty for nothing
     */
    public String toCome(String heir) {
        return ranges(heirs.stream().map(Heir::name).toList(), heir);
    }

    private static void putIfAny(ObjectNode member, String field, String ranges) {
        if (!ranges.isEmpty()) {
            member.put(field, ranges);
        }
    }

    private static <T> String ranges(List<T> all, T one) {
        List<String> ranges = new ArrayList<>();
        for (int from = 0; from < all.size(); from++) {
            if (all.get(from).equals(one)) {
                int to = from;
                while (to + 1 < all.size() && all.get(to + 1).equals(one)) {
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
            List<Heir> heirs = new ArrayList<>(Collections.nCopies(buckets, Heir.NONE));
            for (JsonNode one : map.path("members")) {
                Member member = new Member(
                        one.path("name").asText(),
                        one.path("template").asText(),
                        one.path("epoch").asLong(),
                        one.path("leaves").asBoolean());
                members.add(member);
                fill(holders, one.path("holds").asText(), member.name());
                fill(heirs, one.path("gets").asText(), new Heir(member.name(), false));
                fill(heirs, one.path("getsReady").asText(), new Heir(member.name(), true));
            }
            return new ShardMap(map.path("generation").asLong(), members, holders, heirs, told(map, buckets));
        } catch (JsonProcessingException | NumberFormatException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException("no map of shards: " + wrong.getMessage(), wrong);
        }
    }

    /** Of each bucket; 0 where nothing is told. */
    private List<Long> toldSince() {
        return IntStream.range(0, holders.size())
                .mapToObj(bucket -> told.since().getOrDefault(bucket, 0L))
                .toList();
    }

    private static Told told(JsonNode map, int buckets) {
        List<Long> all = new ArrayList<>(Collections.nCopies(buckets, 0L));
        map.path("toldSince")
                .properties()
                .forEach(since -> fill(all, since.getValue().asText(), Long.valueOf(since.getKey())));
        Map<Integer, Long> since = new HashMap<>();
        IntStream.range(0, buckets)
                .filter(bucket -> all.get(bucket) > 0)
                .forEach(bucket -> since.put(bucket, all.get(bucket)));
        Map<String, String> versions = new HashMap<>();
        map.path("written")
                .properties()
                .forEach(type -> versions.put(type.getKey(), type.getValue().asText()));
        return new Told(since, versions);
    }

    private static <T> void fill(List<T> all, String ranges, T one) {
        for (String range : ranges.isEmpty() ? new String[0] : ranges.split(",")) {
            int dash = range.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int to = dash < 0 ? from : Integer.parseInt(range.substring(dash + 1));
            for (int bucket = from; bucket <= to; bucket++) {
                all.set(bucket, one);
            }
        }
    }
}
