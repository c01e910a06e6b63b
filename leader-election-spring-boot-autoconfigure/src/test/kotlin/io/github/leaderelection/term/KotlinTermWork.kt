package io.github.leaderelection.term

import io.github.leaderelection.Leadership
import io.github.leaderelection.WhileLeader
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.withContext
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicInteger

/** Suspending functions that run for a term. */
open class KotlinConsumer {

    val events = LinkedBlockingQueue<String>()
    val mayEnd = CompletableDeferred<Unit>()

    open fun events() = events

    open fun end() {
        mayEnd.complete(Unit)
    }

    @WhileLeader("orders")
    open suspend fun consume(term: Leadership) {
        events.add("started ${term.term()} ${Leadership.current().isPresent}")
        try {
            withContext(Dispatchers.Default) { awaitCancellation() }
        } finally {
            events.add("cancelled")
            withContext(NonCancellable) { mayEnd.await() }
            events.add("ended")
        }
    }
}

open class FailingConsumer {

    val calls = AtomicInteger()

    open fun calls() = calls.get()

    @WhileLeader("orders")
    open suspend fun consume() {
        calls.incrementAndGet()
        withContext(Dispatchers.Default) { throw IllegalArgumentException("provoked by a test") }
    }
}

open class ShortConsumer {

    @WhileLeader(value = "orders", then = WhileLeader.Then.STEP_DOWN)
    open suspend fun consume() {
        withContext(Dispatchers.Default) { }
    }
}

open class ConsumerWithResult {
    @WhileLeader("orders")
    open suspend fun consume(): String = "done"
}

open class ConsumerWithParameter {
    @WhileLeader("orders")
    open suspend fun consume(message: String) {
        message.length
    }
}
