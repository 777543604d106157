package io.busbar.maven;

import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Scaffold;
import java.io.IOException;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Brings a project to this edition of the scaffold: merges what is made otherwise now into what people have written.
 */
@Mojo(name = "update")
public final class UpdateMojo extends ScaffoldGoal {

    @Override
    Outcome run(Scaffold scaffold) throws IOException {
        return scaffold.update();
    }
}
