package io.github.leaderelection.aop

import io.github.leaderelection.LeaderOnly
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.asCompletableFuture
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicInteger

/** Leader-only functions in Kotlin. */
open class KotlinJobs {

    private val finish = CompletableDeferred<String>()
    private val cancelled = CompletableDeferred<String>()

    private val running = AtomicInteger()

    open fun running(): Int = running.get()

    open fun finish() {
        finish.complete("done")
    }

    open fun cancelled(): CompletableFuture<String> = cancelled.asCompletableFuture()

    @LeaderOnly("orders")
    open suspend fun run(): String? {
        running.incrementAndGet()
        return finish.await()
    }

    @LeaderOnly("orders")
    open suspend fun runWithoutResult() {
        running.incrementAndGet()
        finish.await()
    }

    @LeaderOnly("orders")
    open suspend fun untilCancelled(): String? {
        running.incrementAndGet()
        try {
            awaitCancellation()
        } finally {
            cancelled.complete("cancelled")
        }
    }

    @LeaderOnly(value = "orders", otherwise = LeaderOnly.Otherwise.THROW)
    open suspend fun strict(): String = "done"

    @LeaderOnly("orders")
    open fun values(): Flow<Int> = flow {
        emit(1)
        emit(2)
    }

    @LeaderOnly("orders")
    open fun nullable(): String? = "done"
}

/** Skipped calls would return null, which these functions do not. */
open class NonNullJob {
    @LeaderOnly("orders")
    open fun job(): String = "done"
}

open class NonNullSuspendingJob {
    @LeaderOnly("orders")
    open suspend fun job(): String = "done"
}

/** Calls suspending functions from Java. */
object Coroutines {

    @JvmStatic
    fun <T> start(call: suspend () -> T): CompletableFuture<T> =
        CoroutineScope(Dispatchers.Default).async { call() }.asCompletableFuture()

    @JvmStatic
    fun run(jobs: KotlinJobs) = start { jobs.run() }

    @JvmStatic
    fun runWithoutResult(jobs: KotlinJobs) = start { jobs.runWithoutResult() }

    @JvmStatic
    fun untilCancelled(jobs: KotlinJobs) = start { jobs.untilCancelled() }

    @JvmStatic
    fun strict(jobs: KotlinJobs) = start { jobs.strict() }

    @JvmStatic
    fun values(jobs: KotlinJobs) = start {
        val values = mutableListOf<Int>()
        jobs.values().collect { values.add(it) }
        values.toList()
    }
}
