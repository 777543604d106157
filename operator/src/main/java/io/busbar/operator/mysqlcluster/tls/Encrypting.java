package io.busbar.operator.mysqlcluster.tls;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.v1alpha1.TlsMode;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Has members ask for TLS once all of them have certificates, and not before, nor when that is to end; and has them load
 * a new certificate. Its files reach a server some time after the Secret has changed, up to a minute and more, and only
 * the server can tell: by what it shows when the operator connects. Pure; any thread.
 */
public final class Encrypting implements Step {

    /** Between two attempts to have a new certificate loaded. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    @Override
    public Next decide(Observation seen, Draft draft) {
        List<Member> encrypted = seen.members().reachable().stream()
                .filter(member -> member.encryption().isPresent())
                .toList();
        note(seen, draft, encrypted);
        boolean required = isToBeRequired(seen);
        List<Action> requiring = encrypted.stream()
                .filter(member -> !isAsWanted(encryption(member), required))
                .filter(member -> !seen.memory().hasTried(Action.RequireEncryption.class, member))
                .<Action>map(member -> new Action.RequireEncryption(member, required))
                .toList();
        if (!requiring.isEmpty()) {
            draft.act(new Action.AtOnce(requiring));
            return Next.GO_ON;
        }
        List<Action> reloading = encrypted.stream()
                .filter(member -> !encryption(member).isCurrent())
                .filter(member -> !seen.memory().hasTried(Action.ReloadCertificate.class, member))
                .<Action>map(Action.ReloadCertificate::new)
                .toList();
        if (!reloading.isEmpty() && isDue(seen)) {
            draft.act(
                    new Action.Remember(seen.memory().remembered().withReloaded(seen.steadily())),
                    new Action.AtOnce(reloading));
            return Next.GO_ON;
        }
        encrypted.forEach(member -> {
            noteFailure(seen, draft, member, Action.RequireEncryption.class);
            noteFailure(seen, draft, member, Action.ReloadCertificate.class);
        });
        return Next.GO_ON;
    }

    private static boolean isToBeRequired(Observation seen) {
        return seen.spec().tls().mode() == TlsMode.Required
                && ClusterNames.isEncrypted(
                        seen.statefulSet().getSpec().getTemplate().getSpec())
                && seen.members().all().stream()
                        .filter(member -> member.pod().isPresent())
                        .allMatch(Member::isEncrypted);
    }

    private static boolean isAsWanted(Encryption encryption, boolean required) {
        return required ? encryption.isRequired() : !encryption.isAsked();
    }

    private static boolean isDue(Observation seen) {
        return seen.memory()
                .remembered()
                .reloaded()
                .filter(last -> seen.steadily().isBefore(last.plus(PAUSE)))
                .isEmpty();
    }

    private static Encryption encryption(Member member) {
        return member.encryption().orElseThrow();
    }

    private static void note(Observation seen, Draft draft, List<Member> encrypted) {
        boolean isWanted = seen.spec().tls().encrypts();
        boolean isTold = Conditions.find(seen.cluster().told().conditions(), ConditionTypes.CERTIFICATE_READY)
                .isPresent();
        boolean isHindered = seen.obstacle()
                .filter(obstacle -> obstacle.reason().type().equals(ConditionTypes.CERTIFICATE_READY))
                .isPresent();
        List<Member> plain = seen.members().reachable().stream()
                .filter(member -> !member.isEncrypted())
                .toList();
        if (isHindered || (!isWanted && !isTold)) {
            return;
        }
        if (!isWanted && encrypted.isEmpty()) {
            draft.note(ClusterReasons.NOT_ENCRYPTED, "spec.tls.mode is Disabled");
        } else if (isWanted && !plain.isEmpty()) {
            draft.note(ClusterReasons.CERTIFICATES_MISSING, names(plain) + " are to be restarted with a certificate");
        } else if (!encrypted.isEmpty()) {
            noteShown(draft, encrypted);
        }
    }

    private static void noteShown(Draft draft, List<Member> encrypted) {
        List<Member> behind = encrypted.stream()
                .filter(member -> !encryption(member).isCurrent())
                .toList();
        Function<List<Member>, String> until = members -> "good until "
                + members.stream()
                        .map(member -> encryption(member).expiry())
                        .min(Comparator.naturalOrder())
                        .orElseThrow();
        if (behind.isEmpty()) {
            draft.note(
                    ClusterReasons.CERTIFICATE_SERVED,
                    "all members show a certificate that is " + until.apply(encrypted));
        } else {
            draft.note(
                    ClusterReasons.CERTIFICATE_RENEWED,
                    names(behind) + " still show one that is " + until.apply(behind)
                            + ": they load the new one once its files have reached them");
        }
    }

    private static String names(List<Member> members) {
        return String.join(", ", members.stream().map(Member::name).toList());
    }

    private static void noteFailure(Observation seen, Draft draft, Member member, Class<? extends Action> kind) {
        seen.memory()
                .failure(kind, member)
                .ifPresent(why -> draft.trouble(
                        ClusterReasons.ENCRYPTION_FAILED,
                        "EncryptionFailed",
                        "Encrypt",
                        member.name() + " does not encrypt as it should: " + why));
    }
}
