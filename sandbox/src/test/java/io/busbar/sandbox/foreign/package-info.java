/** Clients that other people wrote, against a sandbox: what they do that our own tests would not. */
package io.busbar.sandbox.foreign;
