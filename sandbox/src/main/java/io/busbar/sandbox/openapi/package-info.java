/**
 * OpenAPI, second and third version: what there is, and what it is made of, for {@code kubectl explain} and clients
 * that check what they send.
 *
 * <pre>
 *   Catalog, CRDs ──▶ OpenApi ──▶ SecondVersion (JSON, protobuf by SchemaMessages), ThirdVersion
 *                                      └── SchemaDefinitions ◀── Types (built-in kinds), schemas of CRDs
 * </pre>
 *
 * Nothing is made before it is asked for. Types are told, descriptions only of custom resources.
 */
@NullMarked
package io.busbar.sandbox.openapi;

import org.jspecify.annotations.NullMarked;
