package io.busbar.sandbox.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import io.busbar.cel.KubernetesLibrary;
import java.util.List;

/**
 * {@code authorizer}: whether somebody may do something. Any thread.
 *
 * <p>It does not imitate: checks that name selectors of fields or labels judge as if they named none.
 */
public final class AuthorizerFunctions {

    static final CelType AUTHORIZER = type("Authorizer");
    static final CelType RESOURCE_CHECK = type("ResourceCheck");

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

        private Decision decision(String what) {
            return decider.decide(
                    new Question(decider, account, path, group, resource, subresource, namespace, name, what));
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

    private static CelType type(String name) {
        return OpaqueType.create("kubernetes.authorization." + name);
    }

    static void addTo(KubernetesLibrary overloads) {
        for (String name : List.of("Authorizer", "GroupCheck", "PathCheck", "ResourceCheck")) {
            overloads.type(name, type(name), Question.class);
        }
        overloads.type("Decision", type("Decision"), Decision.class);
        overloads.member(
                "Authorizer serviceAccount(Authorizer, string, string)",
                (Question question, String namespace, String name) -> question.of(namespace + ":" + name));
        overloads.member("PathCheck path(Authorizer, string)", Question::to);
        overloads.member(
                "GroupCheck group(Authorizer, string)",
                (Question question, String group) -> question.about(group, "", "", "", ""));
        overloads.member(
                "ResourceCheck resource(GroupCheck, string)",
                (Question question, String resource) -> question.about(question.group, resource, "", "", ""));
        overloads.member(
                "ResourceCheck subresource(ResourceCheck, string)",
                (Question question, String part) ->
                        question.about(question.group, question.resource, part, question.namespace, question.name));
        overloads.member(
                "ResourceCheck namespace(ResourceCheck, string)",
                (Question question, String in) ->
                        question.about(question.group, question.resource, question.subresource, in, question.name));
        overloads.member(
                "ResourceCheck name(ResourceCheck, string)",
                (Question question, String named) -> question.about(
                        question.group, question.resource, question.subresource, question.namespace, named));
        overloads.member(
                "ResourceCheck fieldSelector(ResourceCheck, string)", (Question question, String text) -> question);
        overloads.member(
                "ResourceCheck labelSelector(ResourceCheck, string)", (Question question, String text) -> question);
        overloads.member("Decision check(ResourceCheck, string)", Question::decision);
        overloads.member("Decision check(PathCheck, string)", Question::decision);
        overloads.member("bool allowed(Decision)", Decision::allowed);
        overloads.member("string reason(Decision)", Decision::reason);
        overloads.member("bool errored(Decision)", (Decision decision) -> false);
        overloads.member("string error(Decision)", (Decision decision) -> "");
    }
}
