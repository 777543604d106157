/**
 * What objects of built-in kinds are made of: their fields, types and how their lists merge, as Kubernetes 1.36
 * publishes it.
 *
 * <pre>
 *   /openapi/v3 of 1.36.2 ──(a test)──▶ types.txt ──▶ Type, Field
 *   decoding ──▶ ModelType ──▶ TypeCheck, ZeroValues     unknown fields dropped, wrong types refused, nulls replaced
 *   merging  ──▶ ModelTopology                            by strategic patches and server-side apply
 * </pre>
 *
 * <p>Fields that older releases lack are known to the sandbox of such a release as well.
 */
@NullMarked
package io.busbar.sandbox.model;

import org.jspecify.annotations.NullMarked;
