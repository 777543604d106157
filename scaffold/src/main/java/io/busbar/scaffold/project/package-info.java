/**
 * What a project is made of, and the file that says so.
 *
 * <pre>
 *   PROJECT ──ProjectFile, ProjectReader──▶ Project (ProjectResource…, Webhooks) ──ProjectFile──▶ PROJECT
 *                                              └─ NameRule: each name in itself; ProjectRules: all together
 * </pre>
 */
@NullMarked
package io.busbar.scaffold.project;

import org.jspecify.annotations.NullMarked;
