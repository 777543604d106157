package io.busbar.runtime.client;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.TlsVersion;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/** Passes all that is chosen on to another builder, and puts something around what that builds. For one thread. */
final class RepeatingClientBuilder implements HttpClient.Builder {

    private final HttpClient.Builder builder;
    private final UnaryOperator<HttpClient> around;

    RepeatingClientBuilder(HttpClient.Builder builder, UnaryOperator<HttpClient> around) {
        this.builder = builder;
        this.around = around;
    }

    /** The same for clients that share the connections of another. */
    record Derived(HttpClient.DerivedClientBuilder builder, UnaryOperator<HttpClient> around)
            implements HttpClient.DerivedClientBuilder {

        @Override
        public HttpClient build() {
            return around.apply(builder.build());
        }

        @Override
        public HttpClient.DerivedClientBuilder addOrReplaceInterceptor(String name, Interceptor interceptor) {
            return new Derived(builder.addOrReplaceInterceptor(name, interceptor), around);
        }

        @Override
        public HttpClient.DerivedClientBuilder authenticatorNone() {
            return new Derived(builder.authenticatorNone(), around);
        }

        @Override
        public HttpClient.DerivedClientBuilder tag(Object value) {
            return new Derived(builder.tag(value), around);
        }
    }

    @Override
    public HttpClient build() {
        return around.apply(builder.build());
    }

    @Override
    public HttpClient.Builder connectTimeout(long connectTimeout, TimeUnit unit) {
        builder.connectTimeout(connectTimeout, unit);
        return this;
    }

    @Override
    public HttpClient.Builder addOrReplaceInterceptor(String name, Interceptor interceptor) {
        builder.addOrReplaceInterceptor(name, interceptor);
        return this;
    }

    @Override
    public HttpClient.Builder authenticatorNone() {
        builder.authenticatorNone();
        return this;
    }

    @Override
    public HttpClient.Builder sslContext(KeyManager[] keyManagers, TrustManager[] trustManagers) {
        builder.sslContext(keyManagers, trustManagers);
        return this;
    }

    @Override
    public HttpClient.Builder followAllRedirects() {
        builder.followAllRedirects();
        return this;
    }

    @Override
    public HttpClient.Builder proxyAddress(InetSocketAddress proxyAddress) {
        builder.proxyAddress(proxyAddress);
        return this;
    }

    @Override
    public HttpClient.Builder proxyAuthorization(String credentials) {
        builder.proxyAuthorization(credentials);
        return this;
    }

    @Override
    public HttpClient.Builder tlsVersions(TlsVersion... tlsVersions) {
        builder.tlsVersions(tlsVersions);
        return this;
    }

    @Override
    public HttpClient.Builder tlsServerName(String tlsServerName) {
        builder.tlsServerName(tlsServerName);
        return this;
    }

    @Override
    public HttpClient.Builder preferHttp11() {
        builder.preferHttp11();
        return this;
    }

    @Override
    public HttpClient.Builder proxyType(HttpClient.ProxyType type) {
        builder.proxyType(type);
        return this;
    }

    @Override
    public HttpClient.DerivedClientBuilder tag(Object value) {
        builder.tag(value);
        return this;
    }
}
