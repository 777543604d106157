/**
 * All objects of a kind in the version that is stored now.
 *
 * <pre>
 *   CustomResourceDefinition: status.storedVersions has others than the version that is stored
 *       └▶ StorageMigration: each page of the kind ──patch of nothing, on the status──▶ the API server writes what is in another version
 *             └─ after the last page ──▶ status.storedVersions has that version alone
 * </pre>
 */
@NullMarked
package io.busbar.reconciler.storage;

import org.jspecify.annotations.NullMarked;
