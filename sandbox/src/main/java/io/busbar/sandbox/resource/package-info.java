/**
 * What is served: each kind in each of its versions, with what is particular to it.
 *
 * <pre>
 *   builtin.txt ──▶ BuiltIn ─────┐
 *                                ├──▶ Catalog ──Resource──▶ discovery, verbs, tables
 *   CustomResourceDefinitions ───┘
 * </pre>
 *
 * Kinds are told of as Kubernetes 1.36.2 publishes them, also by a server that says it is older.
 *
 * <p>Not served: apiservices of apiregistration.k8s.io/v1; certificatesigningrequests of certificates.k8s.io/v1;
 * ipaddresses, servicecidrs of networking.k8s.io/v1; deviceclasses, resourceclaims, resourceclaimtemplates,
 * resourceslices of resource.k8s.io/v1; pods/log of v1.
 */
@NullMarked
package io.busbar.sandbox.resource;

import org.jspecify.annotations.NullMarked;
