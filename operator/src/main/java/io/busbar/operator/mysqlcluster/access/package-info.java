/**
 * The passwords of a cluster.
 *
 * <pre>
 *   Secret &lt;name&gt;-auth (made up once), or the user's own for root and for programs ─▶ Passwords ─▶ Access
 *   Access ─▶ ApplicationAccount: what programs log in with, on each server that serves
 *          ├▶ ExporterAccount: what the exporter beside each server logs in with
 *          └▶ Rotation: other passwords, while all goes on ─▶ SecretStages: what stands in the Secret meanwhile
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.access;

import org.jspecify.annotations.NullMarked;
