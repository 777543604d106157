package io.busbar.blueprint.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.blueprint.types.GoJson;
import io.busbar.cel.JsonValues;
import io.busbar.cel.KubernetesLibrary;
import io.busbar.cel.SchemaValues;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions that kro adds to CEL beside Kubernetes'. Hashes and seeded values are the same as there, so that an
 * object that kro has made stays as it is; so is JSON that is written. All numbers of JSON that is read are doubles, as
 * there.
 *
 * <p>Any thread.
 */
final class KroFunctions {

    static final String OMIT = "omit";

    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final int LONGEST_RANDOM = 10_000;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .nodeFactory(GoJson.OF_DOUBLES)
            .build();

    private KroFunctions() {}

    /** Kubernetes' functions, these, and {@code omit()}, which leaves out the field that it stands for. */
    static KubernetesLibrary ofTemplates() {
        KubernetesLibrary library = library();
        library.constant("dyn " + OMIT + "()", JsonValues.LEFT_OUT);
        return library;
    }

    /** Kubernetes' functions, and these. */
    static KubernetesLibrary library() {
        KubernetesLibrary library = new KubernetesLibrary();
        library.global("string random.seededString(int, string)", KroFunctions::seededString);
        library.global("int random.seededInt(int, int, string)", KroFunctions::seededInt);
        library.<String>global("bytes hash.fnv64a(string)", KroFunctions::fnv64a);
        library.<String>global("bytes hash.sha256(string)", text -> hashed(Hashing.sha256(), text));
        library.<String>global("bytes hash.md5(string)", KroFunctions::md5);
        library.global("string json.marshal(dyn)", KroFunctions::marshal);
        library.<String>global("dyn json.unmarshal(string)", KroFunctions::unmarshal);
        library.member("map(string,dyn) merge(map(string,dyn), map(string,dyn))", KroFunctions::merge);
        library.member("dyn deepMerge(dyn, dyn)", KroFunctions::deepMerge);
        library.global("list(T) lists.setAtIndex(list(T), int, T)", KroFunctions::setAtIndex);
        library.global("list(T) lists.insertAtIndex(list(T), int, T)", KroFunctions::insertAtIndex);
        library.global("list(T) lists.removeAtIndex(list(T), int)", KroFunctions::removeAtIndex);
        return library;
    }

    /** Each letter is chosen by four bytes of a hash, which is gone through again and again. */
    private static Object seededString(Long length, String seed) throws CelEvaluationException {
        if (length <= 0 || length > LONGEST_RANDOM) {
            throw new CelEvaluationException("random.seededString length must be positive, and no more than "
                    + LONGEST_RANDOM + ", and is " + length);
        }
        ByteBuffer hash = ByteBuffer.wrap(
                Hashing.sha256().hashString(seed, StandardCharsets.UTF_8).asBytes());
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int chosen = Integer.remainderUnsigned(hash.getInt(i * Integer.BYTES % hash.capacity()), LETTERS.length());
            text.append(LETTERS.charAt(chosen));
        }
        return text.toString();
    }

    private static Object seededInt(Long min, Long max, String seed) throws CelEvaluationException {
        if (min >= max) {
            throw new CelEvaluationException(
                    "random.seededInt min must be less than max, and they are " + min + " and " + max);
        }
        long hash = ByteBuffer.wrap(Hashing.sha256()
                        .hashString(seed, StandardCharsets.UTF_8)
                        .asBytes())
                .getLong();
        return min + Long.remainderUnsigned(hash, max - min);
    }

    /** The offset and the prime are those of the function's definition. */
    private static Object fnv64a(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
        }
        return CelByteString.of(ByteBuffer.allocate(Long.BYTES).putLong(hash).array());
    }

    @SuppressWarnings("deprecation") // It tells texts apart, and keeps no secret.
    private static Object md5(String text) {
        return hashed(Hashing.md5(), text);
    }

    private static Object hashed(HashFunction function, String text) {
        return CelByteString.of(
                function.hashString(text, StandardCharsets.UTF_8).asBytes());
    }

    private static Object marshal(Object value) throws CelEvaluationException {
        try {
            return GoJson.text(JsonValues.ofObject(value));
        } catch (IllegalArgumentException wrong) {
            throw new CelEvaluationException("json.marshal failed to encode value: " + wrong.getMessage(), wrong);
        }
    }

    private static Object unmarshal(String text) throws CelEvaluationException {
        try {
            JsonNode read = JSON.readTree(text);
            if (read.isMissingNode()) {
                throw new CelEvaluationException("json.unmarshal failed to parse JSON: there is nothing");
            }
            return SchemaValues.of(read);
        } catch (JsonProcessingException wrong) {
            throw new CelEvaluationException(
                    "json.unmarshal failed to parse JSON: " + wrong.getOriginalMessage(), wrong);
        }
    }

    /** What both maps have is as in the second. */
    private static Object merge(Map<?, ?> first, Map<?, ?> second) {
        Map<String, Object> merged = copy(first);
        merged.putAll(copy(second));
        return merged;
    }

    /** The same, with maps within them merged, too. */
    private static Object deepMerge(Object first, Object second) throws CelEvaluationException {
        if (!(first instanceof Map<?, ?> under) || !(second instanceof Map<?, ?> over)) {
            throw new CelEvaluationException("deepMerge needs two maps, and has "
                    + (first instanceof Map ? "one and " + kind(second) : kind(first)));
        }
        return merged(copy(under), copy(over));
    }

    private static String kind(Object value) {
        return value instanceof List
                ? "a list"
                : value instanceof String ? "a string" : "the value " + JsonValues.ofObject(value);
    }

    private static Map<?, ?> merged(Map<?, ?> under, Map<?, ?> over) {
        Map<Object, Object> merged = new LinkedHashMap<>(under);
        over.forEach((name, value) -> merged.merge(
                name,
                value,
                (one, other) -> one instanceof Map<?, ?> first && other instanceof Map<?, ?> second
                        ? merged(first, second)
                        : other));
        return merged;
    }

    /** Ends the evaluation where it is too large. */
    private static Map<String, Object> copy(Map<?, ?> map) {
        JsonValues.ofObject(map);
        return entries(map);
    }

    /** With the names of fields as in JSON, and without what leaves itself out. */
    private static Map<String, Object> entries(Map<?, ?> map) {
        Map<String, Object> entries = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (!JsonValues.LEFT_OUT.equals(value)) {
                entries.put(JsonValues.name(map, String.valueOf(key)), plain(value));
            }
        });
        return entries;
    }

    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            return entries(map);
        }
        return value instanceof List<?> list
                ? list.stream()
                        .filter(item -> !JsonValues.LEFT_OUT.equals(item))
                        .map(KroFunctions::plain)
                        .toList()
                : value;
    }

    private static Object setAtIndex(List<?> list, Long index, Object item) throws CelEvaluationException {
        List<Object> changed = new ArrayList<>(list);
        changed.set(within("setAtIndex", index, list.size() - 1), item);
        return changed;
    }

    private static Object insertAtIndex(List<?> list, Long index, Object item) throws CelEvaluationException {
        List<Object> changed = new ArrayList<>(list);
        changed.add(within("insertAtIndex", index, list.size()), item);
        return changed;
    }

    private static Object removeAtIndex(List<?> list, Long index) throws CelEvaluationException {
        List<Object> changed = new ArrayList<>(list);
        changed.remove(within("removeAtIndex", index, list.size() - 1));
        return changed;
    }

    private static int within(String function, Long index, int last) throws CelEvaluationException {
        if (index < 0 || index > last) {
            throw new CelEvaluationException("lists." + function + ": the index " + index
                    + " is out of bounds; allowed: " + (last < 0 ? "none, as the list is empty" : "0 to " + last));
        }
        return index.intValue();
    }
}
