package io.busbar.admission.review;

import io.busbar.admission.AdmissionRequest.Operation;
import io.busbar.common.internal.json.JsonScanner;
import io.busbar.common.internal.json.MalformedJsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an AdmissionReview in one pass that checks all of its JSON but builds no tree: of the objects it keeps where
 * they stand.
 *
 * <p>One thread each; {@link #read} may be called on any.
 */
public final class ReviewReader {

    private final byte[] body;
    private final JsonScanner scanner;
    private final ReviewFields fields = new ReviewFields();
    private String reviewKind = "";
    private boolean requestSeen;

    private ReviewReader(byte[] body) {
        this.body = body;
        this.scanner = new JsonScanner(body);
    }

    /**
     * @param body is kept by the review: do not change it
     * @throws MalformedReviewException when it is no review, or lacks what an answer needs
     */
    public static Review read(byte[] body) {
        try {
            return new ReviewReader(body).review();
        } catch (MalformedJsonException e) {
            throw new MalformedReviewException("the body is not valid JSON: " + e.getMessage());
        }
    }

    private Review review() {
        if (scanner.peek() != '{') {
            throw new MalformedReviewException("the body is not a JSON object");
        }
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            switch (scanner.name()) {
                case "apiVersion" -> fields.apiVersion = text("apiVersion");
                case "kind" -> reviewKind = text("kind");
                case "request" -> request();
                default -> scanner.skip();
            }
        }
        if (!scanner.atEnd()) {
            throw new MalformedReviewException("the body goes on after the review");
        }
        check();
        return new Review(fields);
    }

    private void check() {
        if (!reviewKind.equals("AdmissionReview")) {
            throw new MalformedReviewException("kind is '" + reviewKind + "', expected AdmissionReview");
        }
        if (!fields.apiVersion.equals("admission.k8s.io/v1") && !fields.apiVersion.equals("admission.k8s.io/v1beta1")) {
            throw new MalformedReviewException("apiVersion is '" + fields.apiVersion
                    + "', expected admission.k8s.io/v1 or admission.k8s.io/v1beta1");
        }
        if (!requestSeen) {
            throw new MalformedReviewException("the review has no request");
        }
        if (fields.uid.isEmpty()) {
            throw new MalformedReviewException("the request has no uid");
        }
        if (!fields.operationKnown) {
            throw new MalformedReviewException("the request has no operation");
        }
    }

    private void request() {
        if (isNull("request")) {
            return;
        }
        requestSeen = true;
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            switch (scanner.name()) {
                case "uid" -> fields.uid = text("request.uid");
                case "kind" -> kind();
                case "resource" -> resource();
                case "subResource" -> fields.subResource = text("request.subResource");
                case "name" -> fields.name = text("request.name");
                case "namespace" -> fields.namespace = text("request.namespace");
                case "operation" -> operation();
                case "userInfo" -> user();
                case "dryRun" -> fields.dryRun = flag("request.dryRun");
                case "object" -> fields.object = object("request.object");
                case "oldObject" -> fields.oldObject = object("request.oldObject");
                default -> scanner.skip();
            }
        }
    }

    private void kind() {
        if (isNull("request.kind")) {
            return;
        }
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            switch (scanner.name()) {
                case "group" -> fields.group = text("request.kind.group");
                case "kind" -> fields.kind = text("request.kind.kind");
                default -> scanner.skip();
            }
        }
    }

    private void resource() {
        if (isNull("request.resource")) {
            return;
        }
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            if (scanner.name().equals("resource")) {
                fields.resource = text("request.resource.resource");
            } else {
                scanner.skip();
            }
        }
    }

    private void user() {
        if (isNull("request.userInfo")) {
            return;
        }
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            switch (scanner.name()) {
                case "username" -> fields.username = text("request.userInfo.username");
                case "groups" -> fields.groups = texts("request.userInfo.groups");
                default -> scanner.skip();
            }
        }
    }

    private void operation() {
        String operation = text("request.operation");
        fields.operation = switch (operation) {
            case "CREATE" -> Operation.CREATE;
            case "UPDATE" -> Operation.UPDATE;
            case "DELETE" -> Operation.DELETE;
            case "CONNECT" -> Operation.CONNECT;
            default ->
                throw new MalformedReviewException(
                        "request.operation is '" + operation + "', expected CREATE, UPDATE, DELETE or CONNECT");
        };
        fields.operationKnown = true;
    }

    private @Nullable ReviewedObject object(String path) {
        if (isNull(path)) {
            return null;
        }
        int begin = scanner.position();
        ReviewedObject.Slice metadata = null;
        ReviewedObject.Slice managedFields = null;
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            if (scanner.peek() == '{' && scanner.nameIs("metadata")) {
                int metadataBegin = scanner.position();
                managedFields = managedFields();
                metadata = new ReviewedObject.Slice(metadataBegin, scanner.position());
            } else {
                scanner.skip();
            }
        }
        ReviewedObject.Slice whole = new ReviewedObject.Slice(begin, scanner.position());
        return new ReviewedObject(body, whole, metadata, managedFields);
    }

    /** Consumes metadata. Where managedFields stand in it, with the comma that would be too many without them. */
    private ReviewedObject.@Nullable Slice managedFields() {
        int begin = -1;
        int end = -1;
        int previousEnd = -1;
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            int nameBegin = scanner.nameBegin();
            boolean managed = begin < 0 && scanner.nameIs("managedFields");
            if (begin >= 0 && end < 0) {
                // They came first, so the comma behind them goes too.
                end = nameBegin;
            }
            scanner.skip();
            if (managed) {
                begin = previousEnd < 0 ? nameBegin : previousEnd;
                end = previousEnd < 0 ? -1 : scanner.position();
            }
            previousEnd = scanner.position();
        }
        return begin < 0 ? null : new ReviewedObject.Slice(begin, end < 0 ? previousEnd : end);
    }

    /** Consumes a null; of other values only an object passes. */
    private boolean isNull(String path) {
        if (scanner.peek() == 'n') {
            scanner.skip();
            return true;
        }
        if (scanner.peek() != '{') {
            throw wrongType(path, "an object");
        }
        return false;
    }

    private String text(String path) {
        return switch (scanner.peek()) {
            case '"' -> scanner.string();
            case 'n' -> {
                scanner.skip();
                yield "";
            }
            default -> throw wrongType(path, "a string");
        };
    }

    private boolean flag(String path) {
        boolean value = scanner.peek() == 't';
        if (!value && scanner.peek() != 'f' && scanner.peek() != 'n') {
            throw wrongType(path, "a boolean");
        }
        scanner.skip();
        return value;
    }

    private List<String> texts(String path) {
        if (scanner.peek() == 'n') {
            scanner.skip();
            return List.of();
        }
        if (scanner.peek() != '[') {
            throw wrongType(path, "a list");
        }
        List<String> result = new ArrayList<>();
        for (boolean more = scanner.firstElement(); more; more = scanner.nextElement()) {
            result.add(text(path + "[" + result.size() + "]"));
        }
        return List.copyOf(result);
    }

    private static MalformedReviewException wrongType(String path, String expected) {
        return new MalformedReviewException(path + " is not " + expected);
    }
}
