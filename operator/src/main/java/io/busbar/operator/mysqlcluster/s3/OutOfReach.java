package io.busbar.operator.mysqlcluster.s3;

/** That no binary logs lead to where somebody wants to go back to, and why. Its message is for users. */
final class OutOfReach extends S3Failure {

    private static final long serialVersionUID = 1L;

    OutOfReach(String message) {
        super(message);
    }
}
