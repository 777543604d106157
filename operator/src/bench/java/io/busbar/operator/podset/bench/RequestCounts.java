package io.busbar.operator.podset.bench;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the API server has counted since it started; nobody else may write Pods or statuses of PodSets meanwhile.
 *
 * @param creates of Pods
 * @param statusWrites of PodSets, answered with 200
 * @param conflicts of such
 * @param reads of single PodSets
 */
record RequestCounts(long creates, long statusWrites, long conflicts, long reads) {

    private static final Pattern LINE = Pattern.compile("^apiserver_request_total\\{(.*)} (\\S+)$", Pattern.MULTILINE);

    static RequestCounts now(ApiConnection api) throws Exception {
        String metrics = api.get("/metrics");
        return new RequestCounts(
                sum(metrics, "verb=\"POST\"", "resource=\"pods\"", "subresource=\"\"", "code=\"201\""),
                sum(metrics, "verb=\"PATCH\"", "resource=\"podsets\"", "subresource=\"status\"", "code=\"200\""),
                sum(metrics, "verb=\"PATCH\"", "resource=\"podsets\"", "subresource=\"status\"", "code=\"409\""),
                sum(metrics, "verb=\"GET\"", "resource=\"podsets\"", "subresource=\"\""));
    }

    RequestCounts since(RequestCounts before) {
        return new RequestCounts(
                creates - before.creates,
                statusWrites - before.statusWrites,
                conflicts - before.conflicts,
                reads - before.reads);
    }

    private static long sum(String metrics, String... labels) {
        long sum = 0;
        Matcher line = LINE.matcher(metrics);
        while (line.find()) {
            boolean all = true;
            for (String label : labels) {
                all &= line.group(1).contains(label);
            }
            sum += all ? (long) Double.parseDouble(line.group(2)) : 0;
        }
        return sum;
    }
}
