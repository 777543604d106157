package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.watch.Index;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.Contents.Encoding;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabaseSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabaseStatus;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A database. One that is there already is taken as it is, but for its encoding: who deletes an object and makes it
 * again goes on with the data. Any thread.
 */
final class DatabaseContent implements Content<MySQLDatabase> {

    /** Files databases under their cluster and name. */
    static final Index<MySQLDatabase> BY_NAME = new Index<>("mysqldatabase.name", database -> List.of(value(database)));

    private static String value(MySQLDatabase database) {
        return Namesakes.value(database, database.getSpec().clusterRef().name(), database.databaseName());
    }

    @Override
    public String cluster(MySQLDatabase database) {
        return database.getSpec().clusterRef().name();
    }

    @Override
    public Index<MySQLDatabase> byName() {
        return BY_NAME;
    }

    @Override
    public String nameOf(MySQLDatabase database) {
        return value(database);
    }

    @Override
    public List<Condition> conditions(MySQLDatabase database) {
        return database.told().conditions();
    }

    @Override
    public MySQLDatabase with(MySQLDatabase database, List<Condition> conditions) {
        return database.with(database.told().with(conditions));
    }

    @Override
    public Applied<MySQLDatabase> apply(
            MySQLDatabase database, Contents contents, ReconcileContext<MySQLDatabase> context)
            throws SqlFailure, Unready, InterruptedException {
        Optional<MySQLDatabase> elder = Namesakes.elder(database, this, context);
        if (elder.isPresent()) {
            throw new Unready(
                    ContentReasons.TAKEN,
                    "MySQLDatabase " + elder.get().getMetadata().getName() + " is older, and stands for this database");
        }
        String name = database.databaseName();
        MySQLDatabaseSpec spec = database.getSpec();
        Encoding wanted = new Encoding(spec.characterSet(), spec.collate());
        Optional<Encoding> before = contents.database(name);
        if (before.isEmpty()) {
            contents.createDatabase(name, wanted);
            context.events().normal(database, "DatabaseCreated", "Create", name);
        } else if (!fits(before.get().characterSet(), wanted.characterSet())
                || !fits(before.get().collation(), wanted.collation())) {
            contents.alterDatabase(name, wanted);
            context.events().normal(database, "DatabaseAltered", "Alter", name + " was " + text(before.get()));
        }
        Encoding now = contents.database(name).orElse(wanted);
        return new Applied<>(
                database.with(new MySQLDatabaseStatus(name, now.characterSet(), now.collation(), conditions(database))),
                "the database is there, " + text(now),
                Optional.empty());
    }

    private static String text(Encoding encoding) {
        return "in " + encoding.characterSet() + ", compared by " + encoding.collation();
    }

    /** MariaDB has collations that are named without their character set, and tells them with it. */
    private static boolean fits(@Nullable String is, @Nullable String wanted) {
        if (wanted == null || is == null) {
            return true;
        }
        String told = Names.encoding(is.toLowerCase(Locale.ROOT));
        String asked = wanted.toLowerCase(Locale.ROOT);
        return told.equals(asked) || (asked.startsWith("uca1400_") && told.endsWith("_" + asked));
    }

    @Override
    public boolean isLeft(MySQLDatabase database, ReconcileContext<MySQLDatabase> context) {
        return database.getSpec().deletionPolicy() == DeletionPolicy.Retain
                || database.told().database() == null
                || Namesakes.elder(database, this, context).isPresent();
    }

    @Override
    public void remove(MySQLDatabase database, Contents contents, ReconcileContext<MySQLDatabase> context)
            throws SqlFailure, InterruptedException {
        contents.dropDatabase(database.databaseName());
        context.events().normal(database, "DatabaseDropped", "Drop", database.databaseName());
    }
}
