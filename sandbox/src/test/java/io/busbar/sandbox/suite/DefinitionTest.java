package io.busbar.sandbox.suite;

import static io.busbar.sandbox.suite.CustomGroup.version;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a definition may say, and what becomes of it. */
class DefinitionTest {

    private static final String ANY = "{'type':'object','x-kubernetes-preserve-unknown-fields':true}";

    private final Api api = Server.api();
    private final CustomGroup group = new CustomGroup(api);

    @AfterEach
    void forget() {
        group.close();
    }

    private Answer defineWith(String schema) {
        return group.define(group.widgets("", version("v1", true, schema, "")));
    }

    private static String spec(String properties) {
        return "{'type':'object','properties':{'spec':{'type':'object','properties':{" + properties + "}}}}";
    }

    @Test
    void must_be_structural() {
        Answer refused = defineWith("{'type':'object','properties':{'spec':{'properties':{"
                + "'a':{'type':'array'},"
                + "'b':{'type':'string','anyOf':[{'type':'string','description':'x'}]},"
                + "'c':{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]}}}},"
                + "'anyOf':[{'properties':{'other':{'minimum':1}}}]}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be"
                                + " empty for specified object fields",
                        "FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].properties[a].items: Required"
                                + " value: must be specified",
                        "FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].properties[b].anyOf[0].type:"
                                + " Forbidden: must be empty to be structural",
                        "FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].properties[b].anyOf[0].description:"
                                + " Forbidden: must be empty to be structural",
                        "FieldValueRequired spec.validation.openAPIV3Schema.properties[other]: Required value: because it is"
                                + " defined in spec.validation.openAPIV3Schema.anyOf[0].properties[other]");
    }

    @Test
    void uses_only_what_is_supported() {
        Answer refused =
                defineWith(spec("'a':{'type':'foo'},'b':{'type':'array','uniqueItems':true,'items':{'type':'string'}},"
                        + "'c':{'type':'object','properties':{'x':{'type':'string'}},'additionalProperties':{'type':'string'}},"
                        + "'d':{'type':'array','x-kubernetes-list-type':'map','items':{'type':'object','properties':{'k':{'type':'string'}}}},"
                        + "'e':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object',"
                        + "'properties':{'k':{'type':'string'}}}},"
                        + "'f':{'type':'string','x-kubernetes-list-type':'set'}"));
        String path = "spec.validation.openAPIV3Schema.properties[spec].properties";
        assertThat(refused.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueNotSupported " + path
                                + "[a].type: Unsupported value: \"foo\": supported values: \"array\","
                                + " \"boolean\", \"integer\", \"number\", \"object\", \"string\"",
                        "FieldValueForbidden " + path
                                + "[b].uniqueItems: Forbidden: uniqueItems cannot be set to true since the"
                                + " runtime complexity becomes quadratic",
                        "FieldValueForbidden " + path
                                + "[c].additionalProperties: Forbidden: additionalProperties and properties"
                                + " are mutual exclusive",
                        "FieldValueRequired " + path
                                + "[d].x-kubernetes-list-map-keys: Required value: must not be empty if"
                                + " x-kubernetes-list-type is map",
                        "FieldValueRequired " + path
                                + "[e].items.properties[k].default: Required value: this property is in"
                                + " x-kubernetes-list-map-keys, so it must have a default or be a required property",
                        "FieldValueInvalid " + path + "[f].type: Invalid value: \"string\": must be array if"
                                + " x-kubernetes-list-type is specified");
    }

    @Test
    void has_defaults_that_fit() {
        Answer refused = defineWith(spec("'a':{'type':'integer','minimum':3,'default':1},"
                + "'b':{'type':'object','properties':{'x':{'type':'string'}},'default':{'y':'z'}}"));
        String path = "spec.validation.openAPIV3Schema.properties[spec].properties";
        assertThat(refused.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueInvalid " + path
                                + "[a].default: Invalid value: 1:  in body should be greater than or equal to 3",
                        "FieldValueInvalid " + path
                                + "[b].default: Invalid value: "
                                + Server.since(36, "", "map[string]interface {}")
                                + "{\"y\":\"z\"}: must not have unknown fields");
    }

    @Test
    void has_paths_that_can_be_followed() {
        Answer refused = group.define(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        ANY,
                        ",'subresources':{'scale':{'specReplicasPath':'spec.x','statusReplicasPath':'.spec.y'}},"
                                + "'additionalPrinterColumns':[{'name':'','type':'foo','jsonPath':'x'}]")));
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueInvalid spec.subresources.scale.specReplicasPath: Invalid value: \"spec.x\": must be a simple"
                                + " json path starting with .",
                        "FieldValueInvalid spec.subresources.scale.statusReplicasPath: Invalid value: \".spec.y\": should be a"
                                + " json path under .status",
                        "FieldValueRequired spec.additionalPrinterColumns[0].name: Required value",
                        "FieldValueInvalid spec.additionalPrinterColumns[0].type: Invalid value: \"foo\": must be one of"
                                + " boolean,date,integer,number,string",
                        "FieldValueInvalid spec.additionalPrinterColumns[0].JSONPath: Invalid value: \"x\": must be a simple"
                                + " json path starting with .");
    }

    @Test
    void names_things_properly() {
        Answer refused = group.define(group.definition(
                "widgets",
                "{'plural':'widgets','singular':'Bad','kind':'Widget','listKind':'Widget','shortNames':['w_d']}",
                version("V1", true, ANY, ""),
                ""));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString())
                .contains("spec.versions[0].name: Invalid value: \"V1\": a DNS-1035 label must consist of")
                .contains("spec.names.singular: Invalid value: \"Bad\": a DNS-1035 label must consist of")
                .contains("spec.names.shortNames[0]: Invalid value: \"w_d\": a DNS-1035 label")
                .contains("spec.names.listKind: Invalid value: \"Widget\": kind and listKind may not be the same");
    }

    @Test
    void has_one_storage_version_and_a_schema_for_each() {
        Answer refused = group.define(
                group.widgets("", version("v1", true, ANY, ""), "{'name':'v2','served':true,'storage':true}"));
        assertThat(refused.causes().toString())
                .contains("spec.versions[1].schema.openAPIV3Schema: Required value"
                        + Server.since(36, ", ", ": schemas are required"))
                .contains("must have exactly one version marked as storage version");
        Answer twice =
                group.define(group.widgets("", version("v1", true, ANY, ""), version("v1", false, spec(""), "")));
        assertThat(twice.message()).contains("must contain unique version names");
    }

    @Test
    void says_how_versions_are_converted() {
        Answer refused = group.define(group.widgets(
                ",'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v7'],"
                        + "'clientConfig':{'url':'http://x/y?z'}}}",
                version("v1", true, ANY, "")));
        assertThat(refused.causes())
                .contains(
                        "FieldValueInvalid spec.conversion.webhookClientConfig.url: Invalid value: \"http\": 'https' is the only"
                                + " allowed URL scheme; desired format: https://host[/path]",
                        "FieldValueInvalid spec.conversion.webhookClientConfig.url: Invalid value: \"z\": query parameters are not"
                                + " permitted in the URL");
        assertThat(refused.causes().toString()).contains("must include at least one of v1, v1beta1");
        Answer nowhere =
                group.define(group.widgets(",'conversion':{'strategy':'Webhook'}", version("v1", true, ANY, "")));
        assertThat(nowhere.causes())
                .containsExactly(
                        "FieldValueRequired spec.conversion.webhookClientConfig: Required value: required when strategy is set to"
                                + " Webhook",
                        "FieldValueRequired spec.conversion.conversionReviewVersions: Required value");
    }

    @Test
    void keeps_its_scope() {
        group.serve(group.widgets("", version("v1", true, ANY, "")));
        Answer refused = api.patch(group.definition("widgets"), Api.MERGE, "{'spec':{'scope':'Cluster'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid spec.scope: Invalid value: \"Cluster\": field is immutable");
    }

    @Test
    void needs_approval_for_a_protected_group() {
        Answer refused = api.post(
                CustomGroup.DEFINITIONS,
                group.widgets("", version("v1", true, ANY, "")).replace(group.name(), "suite.k8s.io"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueRequired metadata.annotations[api-approved.kubernetes.io]: Required value: protected"
                                + " groups must have approval annotation \"api-approved.kubernetes.io\", see"
                                + " https://github.com/kubernetes/enhancements/pull/1111");
    }

    @Test
    void waits_for_names_that_another_has() {
        group.serve(group.widgets("", version("v1", true, ANY, "")));
        String gadgets = group.definition(
                "gadgets",
                "{'plural':'gadgets','singular':'gadget','kind':'Widget'}",
                version("v1", true, ANY, ""),
                "");
        group.define(gadgets);
        Answer refused = Api.until(
                () -> api.get(group.definition("gadgets")),
                answer -> answer.body().at("/status/conditions").toString().contains("Established"));
        assertThat(refused.body().at("/status/conditions/0/type").asText()).isEqualTo("NamesAccepted");
        assertThat(refused.body().at("/status/conditions/0/status").asText()).isEqualTo("False");
        assertThat(refused.body().at("/status/conditions/0/reason").asText()).isEqualTo("ListKindConflict");
        assertThat(refused.body().at("/status/conditions/0/message").asText())
                .isEqualTo("\"WidgetList\" is already in use");
        assertThat(refused.body().at("/status/conditions/1/status").asText()).isEqualTo("False");
        assertThat(refused.body().at("/status/conditions/1/reason").asText()).isEqualTo("NotAccepted");
        assertThat(refused.text("/status/acceptedNames/plural")).isEqualTo("gadgets");
        assertThat(refused.text("/status/acceptedNames/kind")).isEmpty();
        String url = "/apis/" + group.name() + "/v1/gadgets";
        assertThat(api.get(url).code()).isEqualTo(404);
        api.delete(group.definition("widgets"));
        Api.until(() -> api.get(url), answer -> answer.code() == 200);
    }

    @Test
    void is_discovered_by_short_names_and_categories() {
        group.serve(group.definition(
                "widgets",
                "{'plural':'widgets','kind':'Widget','shortNames':['wd'],'categories':['all','suite']}",
                version("v1", true, ANY, ",'subresources':{'status':{}}"),
                ""));
        Answer list = Api.until(
                () -> api.get("/apis/" + group.name() + "/v1"),
                answer -> answer.text("/resources/0/categories/1").equals("suite"));
        assertThat(list.text("/resources/0/singularName")).isEqualTo("widget");
        assertThat(list.text("/resources/0/shortNames/0")).isEqualTo("wd");
        assertThat(list.text("/resources/0/categories/0")).isEqualTo("all");
        assertThat(list.text("/resources/1/name")).isEqualTo("widgets/status");
        assertThat(list.body().at("/resources/1/verbs").toString()).isEqualTo("[\"get\",\"patch\",\"update\"]");
    }

    @Test
    void warns_of_versions_that_are_deprecated() {
        group.serve(group.widgets(
                "",
                version("v1", true, ANY, ""),
                version("v1alpha1", false, ANY, ",'deprecated':true,'deprecationWarning':'go away'"),
                version("v1beta1", false, ANY, ",'deprecated':true")));
        String url = "/apis/" + group.name();
        assertThat(api.get(url + "/v1alpha1/widgets").headers().firstValue("Warning"))
                .hasValue("299 - \"go away\"");
        assertThat(api.get(url + "/v1beta1/widgets").headers().firstValue("Warning"))
                .hasValue("299 - \"" + group.name() + "/v1beta1 Widget is deprecated; use " + group.name()
                        + "/v1 Widget\"");
        assertThat(api.get(url + "/v1/widgets").headers().firstValue("Warning")).isEmpty();
    }

    @Test
    void takes_nothing_more_while_it_ends_and_ends_its_watches() {
        group.serve(group.widgets("", version("v1", true, ANY, "")));
        String namespace = api.newNamespace();
        String widgets = group.url("v1", namespace);
        api.post(widgets, group.widget("v1", "w", "").replace("'name':'w'", "'name':'w','finalizers':['plain']"));
        try (Watching watch = api.watch(widgets + "?watch=true")) {
            assertThat(watch.summary()).isEqualTo("ADDED w");
            api.delete(group.definition("widgets"));
            Api.until(
                    () -> api.get(group.definition("widgets")),
                    answer -> answer.body()
                            .at("/status/conditions")
                            .toString()
                            .contains("\"reason\":\"InstanceDeletionInProgress\""));
            Answer refused = Api.until(
                    () -> api.post(widgets, group.widget("v1", "late", "")),
                    answer -> answer.code() == Server.since(36, 403, 405));
            assertThat(refused.message())
                    .isEqualTo(Server.since(36, "widgets." + group.name() + " \"late\" is forbidden: ", "")
                            + "create not allowed while custom resource definition is terminating");
            assertThat(watch.summary()).isEqualTo("MODIFIED w");
            api.patch(widgets + "/w", Api.MERGE, "{'metadata':{'finalizers':null}}");
            assertThat(watch.summary()).isEqualTo("DELETED w");
            assertThat(watch.summary()).isEqualTo("END");
        }
    }

    @Test
    void may_be_of_the_cluster() {
        group.serve(
                group.widgets("", version("v1", true, ANY, "")).replace("'scope':'Namespaced'", "'scope':'Cluster'"));
        String url = "/apis/" + group.name() + "/v1/widgets";
        Answer made = api.post(url, group.widget("v1", "w", ""));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.body().path("metadata").has("namespace")).isFalse();
        assertThat(api.get("/apis/" + group.name() + "/v1/namespaces/default/widgets")
                        .code())
                .isEqualTo(404);
    }

    @Test
    void understands_integers_or_strings() {
        group.serve(group.widgets("", version("v1", true, spec("'port':{'x-kubernetes-int-or-string':true}"), "")));
        String url = group.url("v1", api.newNamespace());
        assertThat(api.post(url, group.widget("v1", "a", ",'spec':{'port':80}")).text("/spec/port"))
                .isEqualTo("80");
        assertThat(api.post(url, group.widget("v1", "b", ",'spec':{'port':'http'}"))
                        .text("/spec/port"))
                .isEqualTo("http");
        Answer refused = api.post(url, group.widget("v1", "c", ",'spec':{'port':true}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("spec.port in body must be of type integer,string: \"boolean\"");
    }

    @Test
    void preserves_what_it_is_told_to() {
        group.serve(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        spec("'raw':{'type':'object','x-kubernetes-preserve-unknown-fields':true,'properties':{"
                                + "'known':{'type':'object','properties':{'x':{'type':'string'}}}}},"
                                + "'map':{'type':'object','additionalProperties':{'type':'object','properties':{"
                                + "'x':{'type':'string'}}}}"),
                        "")));
        Answer made = api.post(
                group.url("v1", api.newNamespace()),
                group.widget(
                        "v1",
                        "w",
                        ",'spec':{'raw':{'free':1,'known':{'x':'y','gone':1}},'map':{'k':{'x':'y','gone':1}},'gone':1}"));
        assertThat(made.body().path("spec"))
                .isEqualTo(Api.json("{\"raw\":{\"free\":1,\"known\":{\"x\":\"y\"}},\"map\":{\"k\":{\"x\":\"y\"}}}"
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Test
    void embeds_resources() {
        group.serve(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        spec("'inner':{'type':'object','x-kubernetes-embedded-resource':true,"
                                + "'x-kubernetes-preserve-unknown-fields':true}"),
                        "")));
        String url = group.url("v1", api.newNamespace());
        Answer made = api.post(
                url,
                group.widget(
                        "v1",
                        "w",
                        ",'spec':{'inner':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','bogus':1},'spec':{'a':1}}}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/spec/inner/metadata/name")).isEqualTo("p");
        assertThat(made.text("/spec/inner/spec/a")).isEqualTo("1");
        assertThat(made.body().at("/spec/inner/metadata").has("bogus")).isFalse();
        Answer refused = api.post(url, group.widget("v1", "v", ",'spec':{'inner':{'kind':'Pod'}}"));
        assertThat(refused.causes())
                .containsExactly("FieldValueRequired spec.inner.apiVersion: Required value"
                        + Server.since(36, "", ": must not be empty"));
    }

    @Test
    void has_lists_without_duplicates() {
        group.serve(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        spec("'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},"
                                + "'map':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
                                + "'items':{'type':'object','required':['k'],'properties':{'k':{'type':'string'}}}}"),
                        "")));
        Answer refused = api.post(
                group.url("v1", api.newNamespace()),
                group.widget("v1", "w", ",'spec':{'set':['a','a'],'map':[{'k':'x'},{'k':'x'}]}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueDuplicate spec.set[1]: Duplicate value: \"a\"",
                        "FieldValueDuplicate spec.map[1]: Duplicate value: "
                                + Server.since(36, "", "map[string]interface {}") + "{\"k\":\"x\"}");
    }

    @Test
    void drops_nulls_that_are_not_allowed() {
        group.serve(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        spec("'a':{'type':'string','default':'d'},'b':{'type':'string','nullable':true,'default':'d'}"),
                        "")));
        Answer made =
                api.post(group.url("v1", api.newNamespace()), group.widget("v1", "w", ",'spec':{'a':null,'b':null}"));
        assertThat(made.text("/spec/a")).isEqualTo("d");
        assertThat(made.body().at("/spec/b").isNull()).isTrue();
    }

    @Test
    void tells_the_selector_of_a_scale() {
        group.serve(group.widgets(
                "",
                version(
                        "v1",
                        true,
                        ANY,
                        ",'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.n','statusReplicasPath':'.status.n',"
                                + "'labelSelectorPath':'.status.selector'}}")));
        String widget = group.url("v1", api.newNamespace()) + "/w";
        api.post(widget.substring(0, widget.length() - 2), group.widget("v1", "w", ",'spec':{'n':2}"));
        api.patch(widget + "/status", Api.MERGE, "{'status':{'n':1,'selector':'a=b'}}");
        Answer scale = api.get(widget + "/scale");
        assertThat(scale.text("/spec/replicas")).isEqualTo("2");
        assertThat(scale.text("/status/replicas")).isEqualTo("1");
        assertThat(scale.text("/status/selector")).isEqualTo("a=b");
        Answer put = api.put(widget + "/scale", "{'metadata':{'name':'w'},'spec':{'replicas':5}}");
        assertThat(put.text("/spec/replicas")).isEqualTo("5");
        assertThat(api.get(widget).text("/spec/n")).isEqualTo("5");
        Answer refused = api.put(widget + "/scale", "{'metadata':{'name':'w'},'spec':{'replicas':-5}}");
        assertThat(refused.code()).isEqualTo(422);
    }
}
