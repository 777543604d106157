package io.busbar.manifests.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A list whose items are told apart by keys: server-side apply merges it item by item. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface ListMap {
    /** Names of the fields that identify an item; each is then required, or has a default. */
    String[] keys();
}
