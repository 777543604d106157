/**
 * From the schema of a Blueprint to that of its instances.
 *
 * <pre>
 *   SimpleSchema ──▶ OpenAPI v3 ──┐
 *   openAPIV3Schema ──SchemaForm──┴▶ InstanceSchema ──Instances──▶ is this instance valid? with its defaults
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.schema;

import org.jspecify.annotations.NullMarked;
