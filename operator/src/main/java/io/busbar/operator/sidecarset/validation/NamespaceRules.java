package io.busbar.operator.sidecarset.validation;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import java.util.List;

/**
 * What can be wrong with {@code spec.namespace}, which v1alpha1 alone has: {@link SidecarSetValidator} sees a selector
 * in its place. Any thread.
 */
public final class NamespaceRules implements Validator<SidecarSet> {

    @Override
    public Verdict create(SidecarSet set, AdmissionRequest request) {
        String namespace = set.getSpec() == null ? null : set.getSpec().namespace();
        if (namespace == null || namespace.isEmpty()) {
            return Verdict.ok();
        }
        Field root = Field.root();
        root.child("spec").child("namespace").text(namespace, Names::dnsLabel);
        return new Verdict(
                root.problems(),
                set.getSpec().namespaceSelector() == null
                        ? List.of()
                        : List.of(
                                "spec.namespaceSelector is ignored: spec.namespace (" + namespace + ") wins over it"));
    }

    @Override
    public Verdict update(SidecarSet before, SidecarSet after, AdmissionRequest request) {
        return create(after, request);
    }
}
