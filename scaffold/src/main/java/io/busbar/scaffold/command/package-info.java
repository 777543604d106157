/**
 * The commands of the scaffold: {@code init}, {@code create api}, {@code create webhook}, {@code edit}, {@code update}.
 *
 * <pre>
 *   ScaffoldCommands ──▶ InitCommand, CreateCommand (CreateApiCommand, CreateWebhookCommand), EditCommand, UpdateCommand
 *                             └─ ScaffoldRun ──▶ Scaffold ──▶ Outcome, told
 * </pre>
 */
@NullMarked
package io.busbar.scaffold.command;

import org.jspecify.annotations.NullMarked;
