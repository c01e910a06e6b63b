package kotlin.coroutines;

/** In the place of Kotlin's, which is not needed for more: the last parameter of every suspending function. */
public interface Continuation<T> {}
