package io.busbar.sandbox.suite;

/** Makes roles and bindings, as the admin. */
final class Rights {

    static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

    private final Api admin;
    private final String namespace;

    Rights(Api admin, String namespace) {
        this.admin = admin;
        this.namespace = namespace;
    }

    /** Where the roles of the namespace are. */
    String roles() {
        return RBAC + "/namespaces/" + namespace + "/roles";
    }

    String bindings() {
        return RBAC + "/namespaces/" + namespace + "/rolebindings";
    }

    /** Lets a user do something in the namespace. */
    void allow(String user, String role, String rules) {
        made(admin.post(roles(), "{'metadata':{'name':'" + role + "'},'rules':" + rules + "}"));
        bind(role, "Role", role, subject("User", user));
    }

    void bind(String name, String kind, String role, String subject) {
        made(admin.post(bindings(), binding(name, kind, role, subject)));
    }

    static String binding(String name, String kind, String role, String subject) {
        return "{'metadata':{'name':'" + name + "'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'" + kind
                + "','name':'" + role + "'},'subjects':[" + subject + "]}";
    }

    static String subject(String kind, String name) {
        return "{'kind':'" + kind + "','apiGroup':'rbac.authorization.k8s.io','name':'" + name + "'}";
    }

    static String account(String name) {
        return "{'kind':'ServiceAccount','name':'" + name + "'}";
    }

    static String rule(String verbs, String groups, String resources) {
        return "{'verbs':[" + verbs + "],'apiGroups':[" + groups + "],'resources':[" + resources + "]}";
    }

    private static void made(Answer answer) {
        if (answer.code() != 201) {
            throw new AssertionError(answer.toString());
        }
    }
}
