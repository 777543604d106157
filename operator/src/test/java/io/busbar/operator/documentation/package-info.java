/**
 * Holds the pages of the documentation to what is there.
 *
 * <pre>
 *   docs/*.md, the READMEs ─▶ Page ─▶ Block ─┬─ names its file ─▶ Citation: the same lines stand in it
 *                              │             └─ by its language ─▶ JavaBlocks, ShellBlocks, YamlBlocks, XmlBlocks
 *                              └─▶ Link: leads to a file and a heading that are there
 * </pre>
 */
package io.busbar.operator.documentation;
