package io.busbar.sandbox.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.busbar.sandbox.cel.Overloads.Kind;
import java.util.List;

/**
 * {@code authorizer}: whether somebody may do something. Any thread.
 *
 * <p>It does not imitate: checks that name selectors of fields or labels judge as if they named none.
 */
public final class AuthorizerFunctions {

    private static final String PACKAGE = "kubernetes.authorization.";
    static final CelType AUTHORIZER = OpaqueType.create(PACKAGE + "Authorizer");
    static final CelType RESOURCE_CHECK = OpaqueType.create(PACKAGE + "ResourceCheck");
    private static final CelType PATH_CHECK = OpaqueType.create(PACKAGE + "PathCheck");
    private static final CelType GROUP_CHECK = OpaqueType.create(PACKAGE + "GroupCheck");
    private static final CelType DECISION = OpaqueType.create(PACKAGE + "Decision");

    /**
     * What is asked, as far as an expression has come.
     *
     * @param account of which namespace and name it is about; empty for the caller
     */
    public record Question(
            Decider decider,
            String account,
            String path,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name,
            String verb) {

        public static Question by(Decider decider) {
            return new Question(decider, "", "", "", "", "", "", "", "");
        }

        public Question about(String toGroup, String toResource, String part, String in, String named) {
            return new Question(decider, account, "", toGroup, toResource, part, in, named, "");
        }

        private Question of(String serviceAccount) {
            return new Question(decider, serviceAccount, "", "", "", "", "", "", "");
        }

        private Question to(String url) {
            return new Question(decider, account, url, "", "", "", "", "", "");
        }

        private Question doing(String what) {
            return new Question(decider, account, path, group, resource, subresource, namespace, name, what);
        }
    }

    /** The answer. */
    public record Decision(boolean allowed, String reason) {}

    /** Who answers. */
    @FunctionalInterface
    public interface Decider {

        Decision decide(Question question);
    }

    private AuthorizerFunctions() {}

    static void addTo(Overloads overloads) {
        Kind authorizer = new Kind(AUTHORIZER, Question.class);
        Kind resource = new Kind(RESOURCE_CHECK, Question.class);
        Kind decision = new Kind(DECISION, Decision.class);
        overloads.member(
                "serviceAccount",
                AUTHORIZER,
                List.of(authorizer, ParameterKinds.TEXT, ParameterKinds.TEXT),
                arguments -> question(arguments).of(arguments[1] + ":" + arguments[2]));
        overloads.member(
                "path",
                PATH_CHECK,
                List.of(authorizer, ParameterKinds.TEXT),
                arguments -> question(arguments).to((String) arguments[1]));
        overloads.member(
                "group",
                GROUP_CHECK,
                List.of(authorizer, ParameterKinds.TEXT),
                arguments -> question(arguments).about((String) arguments[1], "", "", "", ""));
        overloads.member(
                "resource",
                RESOURCE_CHECK,
                List.of(new Kind(GROUP_CHECK, Question.class), ParameterKinds.TEXT),
                arguments -> question(arguments).about(question(arguments).group(), (String) arguments[1], "", "", ""));
        narrow(
                overloads,
                resource,
                "subresource",
                (question, text) -> question.about(
                        question.group(), question.resource(), text, question.namespace(), question.name()));
        narrow(
                overloads,
                resource,
                "namespace",
                (question, text) -> question.about(
                        question.group(), question.resource(), question.subresource(), text, question.name()));
        narrow(
                overloads,
                resource,
                "name",
                (question, text) -> question.about(
                        question.group(), question.resource(), question.subresource(), question.namespace(), text));
        narrow(overloads, resource, "fieldSelector", (question, text) -> question);
        narrow(overloads, resource, "labelSelector", (question, text) -> question);
        for (CelType check : List.of(RESOURCE_CHECK, PATH_CHECK)) {
            overloads.member(
                    "check", DECISION, List.of(new Kind(check, Question.class), ParameterKinds.TEXT), arguments -> {
                        Question asked = question(arguments).doing((String) arguments[1]);
                        return asked.decider().decide(asked);
                    });
        }
        overloads.member(
                "allowed",
                SimpleType.BOOL,
                List.of(decision),
                arguments -> decision(arguments).allowed());
        overloads.member(
                "reason",
                SimpleType.STRING,
                List.of(decision),
                arguments -> decision(arguments).reason());
        overloads.member("errored", SimpleType.BOOL, List.of(decision), arguments -> false);
        overloads.member("error", SimpleType.STRING, List.of(decision), arguments -> "");
    }

    /** Says more of what a question is about. */
    @FunctionalInterface
    private interface Narrowing {

        Question apply(Question question, String text);
    }

    private static void narrow(Overloads overloads, Kind resource, String name, Narrowing narrowing) {
        overloads.member(
                name,
                RESOURCE_CHECK,
                List.of(resource, ParameterKinds.TEXT),
                arguments -> narrowing.apply(question(arguments), (String) arguments[1]));
    }

    private static Question question(Object[] arguments) {
        return (Question) arguments[0];
    }

    private static Decision decision(Object[] arguments) {
        return (Decision) arguments[0];
    }
}
