/** What a sandbox makes of input that nobody means: mutated requests, and parts of it that break. */
package io.busbar.sandbox.robustness;
