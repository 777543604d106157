package io.busbar.sandbox;

import io.busbar.sandbox.journal.DataDirectory;
import io.busbar.sandbox.journal.ServerIdentity;
import io.busbar.sandbox.tls.TlsIdentity;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sandbox stands on: where it listens, who it is, and where it keeps its state, if anywhere.
 *
 * <p>Immutable; {@link #lay} and {@link #close} block.
 */
record Foundation(ServingAddress address, ServerIdentity identity, Optional<DataDirectory> data) {

    static Foundation lay(SandboxOptions options) throws IOException {
        ServingAddress address = ServingAddress.of(options);
        if (options.dataDir().isEmpty()) {
            return new Foundation(address, ServerIdentity.make(address.hosts(), options.tls()), Optional.empty());
        }
        DataDirectory data = DataDirectory.open(options.dataDir().get(), address.hosts(), options.tls());
        return new Foundation(address, data.identity(), Optional.of(data));
    }

    /** Empty without TLS, even if there is a certificate. */
    Optional<TlsIdentity> tls(SandboxOptions options) {
        return options.tls() ? identity.tls() : Optional.empty();
    }

    /** Can be called more than once. */
    @Nullable
    Void close() throws IOException {
        if (data.isPresent()) {
            data.get().close();
        }
        return null;
    }
}
