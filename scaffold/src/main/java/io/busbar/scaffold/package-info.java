/**
 * Makes the project of a new operator, and keeps it up to date.
 *
 * <pre>
 *   flags ──▶ Scaffold ──▶ Project (PROJECT) ──Edition──▶ files ──Workspace──▶ the folder, all or nothing ──▶ Outcome
 *              init, create api, create webhook, edit, update                                         └▶ what comes next
 * </pre>
 *
 * PROJECT says all that the scaffold knows of a project: it is kubebuilder's file of that name, of version 3, field by
 * field, with a layout of our own ({@code java.busbar.io/v1}); {@code repo} is the Java package and the Maven group,
 * {@code path} the package of a version's types.
 *
 * <p>A file is either people's or the scaffold's. People's are made once, with the command that they belong to, and no
 * command edits what somebody has written there. The scaffold's is what grows with PROJECT, one Java file that puts all
 * kinds together; it is made anew by each command. So nothing is ever inserted into what people wrote, and there are no
 * markers to keep.
 *
 * <p>{@code .scaffold.json} holds each of people's files as it was made last. {@code update} takes it as the base of a
 * merge: what people have made of it on the one side, what this edition makes of PROJECT on the other. Where both have
 * changed the same lines it marks them. The record then has what this edition makes, so that a second run finds nothing
 * to do, whether or not marks are settled. A file that nobody has written in is made anew; one that people have deleted
 * stays deleted; one that is no longer made goes, unless somebody has written in it.
 */
@NullMarked
package io.busbar.scaffold;

import org.jspecify.annotations.NullMarked;
