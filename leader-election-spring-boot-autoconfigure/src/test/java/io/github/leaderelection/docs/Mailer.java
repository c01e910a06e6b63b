package io.github.leaderelection.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Stands for a mail server. */
@Component
class Mailer {

    private final List<String> sent = new CopyOnWriteArrayList<>();

    void send(String subject) {
        sent.add(subject);
    }

    List<String> sent() {
        return sent;
    }
}
