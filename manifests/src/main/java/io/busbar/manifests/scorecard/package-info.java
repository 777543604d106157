/**
 * The checks of operator-sdk's scorecard that need no image, on the bundle of any operator.
 *
 * <pre>
 *   a folder ─▶ BundleFolder ─▶ BundleTests (BundleValidation…) ─▶ TestResult ─▶ Scorecard: as text, as a TestList
 * </pre>
 *
 * Which samples are refused or don't become ready, only a cluster knows: whoever has one adds those results.
 */
@NullMarked
package io.busbar.manifests.scorecard;

import org.jspecify.annotations.NullMarked;
