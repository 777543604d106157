/** What a process needs beside its operator: settings of the virtual machine, logs, and signals that end it. */
@NullMarked
package io.busbar.runtime.process;

import org.jspecify.annotations.NullMarked;
