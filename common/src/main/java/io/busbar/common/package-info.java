/**
 * What the modules share: keys of objects, kinds and what they are made of; the packages below hold the rest.
 *
 * <pre>
 *   bus            messages, their codecs and addresses       watcher ──▶ reconciler, admission, metrics
 *   watch          what to watch, whom to tell, how to read   (declared by users, carried out by watcher)
 *   api            failures of the API server, by remedy
 *   traffic        how much is asked of the API server, and when
 *   condition      metav1.Condition lists
 *   configuration  problems of flags and environment, all at once
 *   internal       not for operators; changes without notice
 *     json           what is looked through and not built
 *     certificate    keys and certificates, made and read
 * </pre>
 */
@NullMarked
package io.busbar.common;

import org.jspecify.annotations.NullMarked;
