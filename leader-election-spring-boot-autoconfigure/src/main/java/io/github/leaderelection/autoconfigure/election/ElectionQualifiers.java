package io.github.leaderelection.autoconfigure.election;

import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Qualifies the bean of an election with the name of the election. */
public final class ElectionQualifiers {

    private ElectionQualifiers() {}

    /** Prefers an annotated element, because unlike a qualifier it does not hide the name of the bean. */
    public static void add(AbstractBeanDefinition definition, String election) {
        if (definition instanceof RootBeanDefinition root && root.getQualifiedElement() == null) {
            Qualifier qualifier =
                    AnnotationUtils.synthesizeAnnotation(Map.of("value", election), Qualifier.class, null);
            root.setQualifiedElement(AnnotatedElementUtils.forAnnotations(qualifier));
        } else {
            definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, election));
        }
    }
}
