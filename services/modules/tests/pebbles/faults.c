// Pebbles whose actions misbehave, for tests of hosts: who takes ten pebbles or more asks for the
// fault of that number. Everything else is as in pebbles.c, except where a line says so.

// Levels of bots that choose badly.
#define MORE_LEVELS put_text(15, "loops"), put_text(15, "traps"), put_text(15, "illegal"), put_text(15, "garbage");

#define croupier_call pebbles_call
#define croupier_allocate pebbles_allocate
#include "pebbles.c"
#undef croupier_call
#undef croupier_allocate

// As in tests/built/faults.rs.
enum {
    LOOPS = 10,
    GROWS = 11,
    TRAPS = 12,
    RECURSES = 13,
    DRAWS_WITHOUT_END = 14,
    DRAWS_FROM_NOTHING = 15,
    READS_OUTSIDE = 16,
    LOGS_WITHOUT_END = 17,
    ANSWERS_TOO_MUCH = 20,
    ANSWERS_OUTSIDE = 21,
    ANSWERS_GARBAGE = 22,
    ANSWERS_NOTHING = 23,
    ANSWERS_SHORT = 24,
    OTHER_SEAT = 30,
    OTHER_VERB = 31,
    OTHER_ACTION = 32,
    OTHER_RULES = 33,
    HIDES_A_CHOICE = 34,
    RESIGNS_ANOTHER = 35,
    OVERDRAWS = 40,
    NAMES_NO_SEAT = 41,
    NAMES_NO_PLACE = 42,
    HAS_NO_SUCH_EVENT = 43,
    GOES_ON_AFTER_THE_END = 44,
    PAUSES = 45,
    KEEPS_A_PROMPT_THAT_WAS_NOT_OPEN = 46,
    NAMES_AN_OLD_TABLE = 50,
    NAMES_NO_TABLE = 51,
    REFUSES_WITHOUT_A_REASON = 52,
    LOOPS_WHILE_PARSING = 60,
};

// An address near the end of the address space, where no memory is.
#define OUTSIDE 0xfffffff0u

static void loop(void) {
    for (volatile u32 n = 0;; n++) {}
}

static void grow(void) {
    enum { PAGE = 1 << 16, PAGES = 16 };
    for (;;) {
        u32 page = __builtin_wasm_memory_grow(0, PAGES);
        if (page == (u32)-1) __builtin_trap();
        for (u32 n = 0; n < PAGES * PAGE; n += 1 << 12) ((volatile u8 *)(page * PAGE))[n] = 1;
    }
}

__attribute__((noinline)) static u32 recurse(u32 depth) {
    return depth == 0 ? 0 : recurse(depth - 1) / 3 + depth;
}

static u64 at(u32 address, u32 count) { return (u64)address << 32 | count; }

static u64 answered(void) { return at((u32)answer, length); }

// An entry with one fault.
static void misdeal(u32 fault, u32 seat, u32 handle) {
    struct table table = *find(handle);
    struct entry entry = begin_entry(fault == OTHER_VERB ? "open" : "take");
    put_number(1, fault == OTHER_SEAT ? 1 - seat : seat);
    put_action(3, fault == OTHER_ACTION ? 1 : fault);
    switch (fault) {
        case OTHER_RULES: put_number(6, 2); break;
        case HIDES_A_CHOICE: below(2); break;
        case RESIGNS_ANOTHER: event(RESIGNED, 1 - seat); break;
        case OVERDRAWS: paid(HEAP, taken_by(seat), 1000); break;
        case NAMES_NO_SEAT: event(TURN_BEGAN, 7); break;
        case NAMES_NO_PLACE: paid(HEAP, 63, 1); break;
        case HAS_NO_SUCH_EVENT: event(500, 1); break;
        case GOES_ON_AFTER_THE_END: event(ENDED, 1 << seat); event(TURN_BEGAN, seat); break;
        case PAUSES: INSIDE(4) INSIDE(23) {} break;
        case KEEPS_A_PROMPT_THAT_WAS_NOT_OPEN:
            INSIDE(5) {
                put_number(1, seat);
                put_number(5, 7);
            }
            break;
        case NAMES_AN_OLD_TABLE:
        case NAMES_NO_TABLE:
            ask(seat);
            end(entry.entry);
            put_number(1, fault == NAMES_NO_TABLE ? 0 : handle);
            end(entry.advance);
            end(entry.outcome);
            return;
    }
    end_entry(entry, table);
}

static u64 misbehave(u32 fault, u32 seat, u32 handle) {
    static const u8 outcome_of_two_gigabytes[] = {0x0a, 0xff, 0xff, 0xff, 0xff, 7};
    switch (fault) {
        case LOOPS: loop(); break;
        case GROWS: grow(); break;
        case TRAPS: tell("it was meant to", 15); __builtin_trap();
        case RECURSES: put_number(1, recurse(1 << 30)); break;
        case DRAWS_WITHOUT_END: for (;;) below(2);
        case DRAWS_FROM_NOTHING: below(0); break;
        case READS_OUTSIDE: put(*(volatile u8 *)OUTSIDE); break;
        case LOGS_WITHOUT_END:
            for (u32 n = 0; n < 1000; n++) tell((const char *)answer, ~0u - (u32)answer);
            for (u32 n = 0; n < 1000; n++) tell((const char *)descriptors, sizeof descriptors);
            __builtin_trap();
        case ANSWERS_TOO_MUCH: return at((u32)answer, ~0u);
        case ANSWERS_OUTSIDE: return at(OUTSIDE, 100);
        case ANSWERS_GARBAGE: for (u32 n = 0; n < 40; n++) put(0xff); break;
        case ANSWERS_NOTHING: break;
        case ANSWERS_SHORT:
            return at((u32)outcome_of_two_gigabytes, sizeof outcome_of_two_gigabytes);
        case REFUSES_WITHOUT_A_REASON: refuse("BECAUSE", "it is so"); break;
        default: misdeal(fault, seat, handle);
    }
    return answered();
}

static u64 choose_badly(struct bytes request) {
    u8 level = 0;
    told(request, &level);
    switch (level) {
        case 'l': loop(); break;
        case 't': __builtin_trap();
        // More than a seat may take.
        case 'i': put_action(1, TAKEN_MAX + 1); break;
        case 'g': for (u32 n = 0; n < 40; n++) put(0xff); break;
        default: choose(request);
    }
    return answered();
}

// The buffer for a long request is nowhere.
u8 *EXPORT(croupier_allocate)(u32 count) {
    return count > 8192 ? (u8 *)OUTSIDE : pebbles_allocate(count);
}

u64 EXPORT(croupier_call)(u32 method, const u8 *address, u32 count) {
    struct bytes request = {address, count}, action = {0};
    u32 handle = 0, seat = 0, verb = 0;
    FIELDS(request) {
        if (it.number == 1) {
            handle = (u32)it.value;
            if (method == 7) action = it.inside;
        }
        if (it.number == 2) seat = (u32)it.value;
        if (it.number == 3) {
            action = it.inside;
            verb = it.inside.left;
        }
    }
    length = 0;
    if (method == 15) return choose_badly(request);
    if (method == 6) {
        // The table is another one: in round 9, of two seats that have no points.
        INSIDE(1) {
            put_number(5, 9);
            for (u32 n = 0; n < 2; n++) put_number(10, 0);
        }
        return answered();
    }
    if (method == 12 && verb > 4) {
        // A list for a verb of five letters is endless, and one for six names another verb.
        static u8 endless[1 << 17];
        for (u32 n = 0; n < sizeof endless; n += 2) endless[n] = 0x0a;
        if (verb == 5) return at((u32)endless, sizeof endless);
        INSIDE(1) put_text(1, "giving");
        return answered();
    }
    u32 fault = method == 7 || method == 8 ? named(action) : 0;
    if (method == 7 && fault == LOOPS_WHILE_PARSING) loop();
    if (fault < 10) return pebbles_call(method, address, count);
    if (method == 8) return misbehave(fault, seat, handle);
    put_text(1, "take");
    put_action(2, fault);
    return answered();
}
