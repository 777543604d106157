package io.busbar.manifests.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On the class of a version that has to be converted by the operator's webhook. Its definition has the version, but
 * serves it only where the webhook is set up too, so that the definition can be applied alone.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Converted {}
