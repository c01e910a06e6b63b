package io.github.leaderelection.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Replaces each election of the application with a {@link TestElection} in a test with Spring, so that the test decides
 * who leads and needs no ZooKeeper:
 *
 * <pre>{@code
 * @SpringBootTest
 * @TestElections({"orders", "billing"})
 * class OrderTests {
 *
 *     @Autowired
 *     @Qualifier("orders")
 *     TestElection orders;
 * }
 * }</pre>
 *
 * <p>The beans are named {@code <name>Election}. The configured elections are replaced whether they are named here or not. In
 * a test slice, such as {@code @WebMvcTest}, methods annotated with {@code @LeaderOnly} are guarded too.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface TestElections {

    /** The names of the elections. May be empty if the elections are configured. */
    String[] value() default {};
}
