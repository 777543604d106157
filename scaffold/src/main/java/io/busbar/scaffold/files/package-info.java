/**
 * The files of a project: how they are made, what of them is remembered, and how they come to the disk.
 *
 * <pre>
 *   Project ──Templates──▶ ScaffoldFile… ──▶ FileChanges ──▶ disk, all or nothing
 *                             │  ▲ ThreeWayMerge: as made last, as it is, as it is made now
 *                             ▼  │
 *                         ScaffoldRecord
 * </pre>
 */
@NullMarked
package io.busbar.scaffold.files;

import org.jspecify.annotations.NullMarked;
