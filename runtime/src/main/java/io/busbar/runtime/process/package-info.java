/** What a process needs beside its operator: settings of the virtual machine, and where the JDK logs. */
@NullMarked
package io.busbar.runtime.process;

import org.jspecify.annotations.NullMarked;
