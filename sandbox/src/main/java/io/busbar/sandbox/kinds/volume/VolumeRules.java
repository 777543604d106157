package io.busbar.sandbox.kinds.volume;

import io.busbar.sandbox.rules.BuiltInRules;

/** The rules of PersistentVolumes and of StorageClasses. Any thread. */
public final class VolumeRules extends BuiltInRules {

    public VolumeRules(Facts facts) {
        super(facts);
    }
}
