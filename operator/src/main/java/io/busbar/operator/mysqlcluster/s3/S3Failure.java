package io.busbar.operator.mysqlcluster.s3;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Objects;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What cannot be done with a backup in S3. Its message is for users: it names the place, and no secret. */
class S3Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    S3Failure(String message) {
        super(message);
    }

    private S3Failure(String message, SdkException cause) {
        super(message, cause);
    }

    /**
     * @param place the bucket and its server
     * @param doing what was asked for, such as "read"
     */
    static S3Failure of(S3Place place, String doing, SdkException failure) {
        return new S3Failure(place + " cannot be " + doing + ": " + why(place, failure), failure);
    }

    private static String why(S3Place place, SdkException failure) {
        if (!(failure instanceof S3Exception answer)) {
            return unanswered(failure);
        }
        AwsErrorDetails details = answer.awsErrorDetails();
        String code = details == null ? "" : Objects.requireNonNullElse(details.errorCode(), "");
        return switch (code) {
            case "InvalidAccessKeyId" -> "the server does not know the access key; see credentialsSecretRef";
            case "SignatureDoesNotMatch" -> "the secret access key is wrong; see credentialsSecretRef";
            case "AccessDenied", "AllAccessDisabled" -> "access is denied; see the rights of credentialsSecretRef";
            case "NoSuchBucket" -> "there is no such bucket";
            case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException" ->
                "the bucket is not in the region " + place.region();
            default -> status(answer.statusCode(), code, details);
        };
    }

    private static String status(int status, String code, AwsErrorDetails details) {
        String message = details == null ? null : details.errorMessage();
        return "the server answers " + status
                + (code.isEmpty() || code.equals(String.valueOf(status)) ? "" : " " + code)
                + (message == null || message.isEmpty() ? "" : ", " + message);
    }

    private static String unanswered(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return "the host " + cause.getMessage() + " is not known";
            }
            if (cause instanceof ConnectException || cause instanceof SocketTimeoutException) {
                return "the server does not answer: " + cause.getMessage();
            }
            if (cause instanceof SSLException) {
                return "TLS fails: " + cause.getMessage();
            }
        }
        return String.valueOf(failure.getMessage());
    }
}
