/* card_pilot.c - the steps of a pilot on a GPU. */
#include "run/pilot/card_pilot.h"

#include "base/error.h"
#include "device/open.h"
#include "run/device/mirror.h"

#define STRIDE 16 /* capacity: steps of a launch, then the caller is asked */

/* *out is NULL if the device is not a GPU. */
static hiss_status open_card(hs_mirror **out, hs_group_state *state,
                             const char *device, hs_pool *pool, hiss_error *err)
{
    const hs_device_table *table;
    hs_device_choice choice;
    hiss_error why = {0};
    hiss_status rc;
    int number;

    *out = NULL;
    HS_TRY(hs_device_parse(device, &choice, err));
    if (!choice.is_card)
        return HISS_OK;
    number = choice.number < 0 ? 0 : choice.number;
    rc = hs_device_open_card(&table, number, &why);
    if (rc == HISS_OK) {
        rc = hs_mirror_create(out, table, number, state, 1, HS_MIRROR_PILOT,
                              pool, &why);
        choice.may_not |= rc == HISS_EUNSUP; /* the run itself may be */
    }
    if (rc == HISS_OK || choice.may_not)
        return HISS_OK;
    if (err)
        *err = why;
    return rc;
}

static hiss_status walk(hs_mirror *m, int64_t steps, hs_pilot_account *account,
                        int64_t *made, hiss_error *err)
{
    hiss_status rc = HISS_OK;

    while (rc == HISS_OK && *made < steps) {
        int64_t now = steps - *made < STRIDE ? steps - *made : STRIDE;

        HS_TRY(hs_mirror_step(m, now, false, err));
        HS_TRY(hs_mirror_fetch(m, false, err));
        *made += now;
        rc = hs_pilot_account_report(account, err);
    }
    if (rc == HISS_OK || account->is_late)
        HS_TRY(hs_mirror_fetch_tuned(m, err));
    return rc;
}

hiss_status hs_card_pilot_tune(hs_group *g, int64_t steps,
                               hs_pilot_account *account, int64_t *made,
                               bool *is_done, hiss_error *err)
{
    hs_group_state state = {.group = g};
    hs_mirror *m = NULL;
    hs_pool *pool = NULL;
    hiss_status rc;

    *is_done = false;
    HS_TRY(hs_pool_create(&pool, 1, err));
    rc = open_card(&m, &state, account->device, pool, err);
    *is_done = m != NULL;
    if (m)
        rc = walk(m, steps, account, made, err);
    hs_mirror_destroy(m);
    hs_pool_destroy(pool);
    return rc;
}
