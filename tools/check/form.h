/* SPDX-License-Identifier: Apache-2.0
 * form.h - makes the model and the bound of a case that comes from lists. */
#pragma once

#include "check/cases.h"

/* Returns the element type that an input of the form has. */
oc_type check_input_type(const check_input *in, const check_form *form);
/* Is the type mixed with another one of smaller range, in other inputs or in the computation?
 * Numbers that are finite in it need not be finite there, so cases have only plain numbers. */
bool check_form_is_mixed(const check_spec *s, const check_form *form);
/* Returns a unit in the last place of x in the coarsest type that a result may be rounded to. */
double check_form_unit(const check_spec *s, const check_form *form, double x);
/* Sets all members of *out except name, group and inputs. The caller frees out->model. */
void check_form_make(const check_family *family, const check_form *form, check_case *out);
/* Returns a tensor of the elements of an input of CHECK_GIVEN, which the caller frees; NULL with
 * *e set on failure. */
oc_value *check_form_given(const check_input *in, const check_form *form, oc_error *e);
