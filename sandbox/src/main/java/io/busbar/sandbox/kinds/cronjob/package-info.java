/**
 * Makes Jobs when their time has come.
 *
 * <pre>
 *   CronJob, its Jobs, or the time ──▶ CronJobs ▶ CronSchedule ──▶ a Job ──▶ status; old Jobs go
 * </pre>
 *
 * A CronJob without a time zone goes by UTC.
 */
@NullMarked
package io.busbar.sandbox.kinds.cronjob;

import org.jspecify.annotations.NullMarked;
