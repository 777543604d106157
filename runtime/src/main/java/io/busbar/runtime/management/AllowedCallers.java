package io.busbar.runtime.management;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets pass those whom the cluster allows what they want to do; answers 401 to strangers (429 where there are too
 * many), 403 to others.
 *
 * <p>One context.
 */
final class AllowedCallers implements Handler<RoutingContext> {

    private static final Logger log = LoggerFactory.getLogger(AllowedCallers.class);
    private static final String SCHEME = "bearer ";

    private final AccessReviews reviews;
    private final Function<RoutingContext, Wish> wish;
    private final String example;

    /**
     * @param wish what a request is to do
     * @param example which ClusterRole allows it, for people
     */
    AllowedCallers(AccessReviews reviews, Function<RoutingContext, Wish> wish, String example) {
        this.reviews = reviews;
        this.wish = wish;
        this.example = example;
    }

    @Override
    public void handle(RoutingContext request) {
        String authorization = request.request().getHeader(HttpHeaders.AUTHORIZATION);
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            refuse(request, 401, "Unauthorized: a token of the cluster is needed, as Authorization: Bearer TOKEN");
            return;
        }
        String token = authorization.substring(SCHEME.length()).strip();
        String address = request.request().remoteAddress().hostAddress();
        reviews.may(wish.apply(request), token, address)
                .onSuccess(access -> answer(request, access))
                .onFailure(failure -> {
                    if (failure instanceof TooManyReviewsException) {
                        refuse(request, 429, "Too many requests: " + failure.getMessage());
                        return;
                    }
                    log.atWarn()
                            .addKeyValue("path", request.request().path())
                            .addKeyValue("reason", failure.getCause() == null ? failure : failure.getCause())
                            .log("the API server cannot be asked who may do this");
                    refuse(request, 500, "Authentication failed: the API server cannot be asked");
                });
    }

    private void answer(RoutingContext request, Access access) {
        if (access instanceof Access.Granted) {
            request.next();
        } else if (access instanceof Access.Denied denied) {
            refuse(
                    request,
                    403,
                    "Forbidden: " + denied.user() + " may not "
                            + wish.apply(request).text() + "; " + example + " allows it");
        } else {
            refuse(request, 401, "Unauthorized: the cluster does not know this token");
        }
    }

    private static void refuse(RoutingContext request, int code, String why) {
        HttpServerResponse response = request.response().setStatusCode(code);
        if (code == 401) {
            response.putHeader("WWW-Authenticate", "Bearer");
        } else if (code == 429) {
            response.putHeader(HttpHeaders.RETRY_AFTER, "1");
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(why + "\n");
    }
}
