package io.busbar.runtime.command;

/** A command that runs the bundles of an operator, and so has their flags. */
interface RunsBundles {}
