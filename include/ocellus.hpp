/* SPDX-License-Identifier: Apache-2.0
 *
 * ocellus.hpp - ocellus.h for C++17: objects that free what they own, spans, exceptions.
 *
 * Header only. Whatever ocellus.h says of a call holds here too. Errors are thrown as
 * ocellus::error. Objects can be moved, not copied; get() gives the pointer of ocellus.h for calls
 * that have no form here. No exception may leave a callback: the library is C. */
#ifndef OCELLUS_HPP
#define OCELLUS_HPP

#include <ocellus.h>
#include <ocellus_model.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>
#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#endif

namespace ocellus
{

/* ---- spans ---- */

#if defined(__cpp_lib_span)
using std::span;
#else
/* Elements that something else owns: what std::span of C++20 has and this header needs. */
template <typename T> class span
{
  public:
    constexpr span() noexcept = default; /* of nothing */
    /* Of size elements from data on. */
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    /* Of an array. */
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /* Of a container, such as std::vector, std::array or another span. */
    template <typename C, typename = std::enable_if_t<
                              std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr span(C &&container) noexcept : data_(container.data()), size_(container.size())
    {
    }

    /* The first one; of none any pointer. */
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; } /* how many */
    constexpr bool empty() const noexcept { return size_ == 0; }  /* whether there are none */
    /* The i-th one, which must be there. */
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
    constexpr T *begin() const noexcept { return data_; }       /* for loops */
    constexpr T *end() const noexcept { return data_ + size_; } /* for loops */

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/* ---- errors ---- */

/* What a call ended with: its what() is the text of oc_error. */
class error : public std::runtime_error
{
  public:
    /* Of a code other than OC_OK. */
    error(oc_status code, const char *text) : std::runtime_error(text), code_(code) {}
    oc_status code() const noexcept { return code_; } /* its code */

  private:
    oc_status code_;
};

/* Returns what call(e) returns, with an oc_error for e; throws the error that it sets. */
template <typename Call> auto checked(Call &&call)
{
    oc_error e = {};
    if constexpr (std::is_void_v<decltype(call(&e))>) {
        call(&e);
        if (e.code != OC_OK)
            throw error(e.code, e.text);
    } else {
        const auto result = call(&e);
        if (e.code != OC_OK)
            throw error(e.code, e.text);
        return result;
    }
}

/* ---- element types ---- */

/* The oc_type of a C++ type. Others, such as float16, are asked for as their bits and named. */
template <typename T> constexpr oc_type type_of()
{
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, float>)
        return OC_F32;
    else if constexpr (std::is_same_v<U, double>)
        return OC_F64;
    else if constexpr (std::is_same_v<U, bool>)
        return OC_BOOL;
    else if constexpr (std::is_same_v<U, oc_string>)
        return OC_STRING;
    else {
        static_assert(std::is_integral_v<U>, "no element type is like this one: give an oc_type");
        constexpr oc_type is_signed[] = {OC_I8, OC_I16, OC_I32, OC_I64};
        constexpr oc_type is_unsigned[] = {OC_U8, OC_U16, OC_U32, OC_U64};
        constexpr int i = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3;
        return std::is_signed_v<U> ? is_signed[i] : is_unsigned[i];
    }
}

/* ---- values ---- */

/* A value that something else owns: an output of a session, an item. */
class value_view
{
  public:
    /* Of a value that lives longer. */
    explicit value_view(const oc_value *value) noexcept : value_(value) {}

    /* As oc_value_kind. */
    oc_kind kind() const noexcept { return oc_value_kind(value_); }
    /* As oc_value_type. */
    oc_type type() const noexcept { return oc_value_type(value_); }
    /* As oc_value_dims. */
    span<const std::int64_t> dims() const noexcept
    {
        return {oc_value_dims(value_), static_cast<std::size_t>(oc_value_rank(value_))};
    }
    /* As oc_value_count. */
    std::size_t size() const noexcept { return static_cast<std::size_t>(oc_value_count(value_)); }
    /* As oc_value_item; throws where there is no such item. */
    value_view operator[](std::size_t i) const
    {
        const oc_value *item = oc_value_item(value_, static_cast<std::int64_t>(i));
        if (!item)
            throw error(OC_ARGUMENT, "the value has no such item");
        return value_view(item);
    }
    /* The elements of a tensor of that type. */
    template <typename T> span<const T> elements() const { return elements<T>(type_of<T>()); }
    /* The same of a type that is named, such as OC_F16, for whose bits T has room. */
    template <typename T> span<const T> elements(oc_type as) const
    {
        if (kind() != OC_TENSOR || type() != as || sizeof(T) != oc_type_size(as))
            throw error(OC_TYPE,
                        ("the value is no tensor of " + std::string(oc_type_name(as))).c_str());
        return {static_cast<const T *>(oc_value_data(value_)), size()};
    }
    /* For calls of ocellus.h. */
    const oc_value *get() const noexcept { return value_; }

  private:
    const oc_value *value_;
};

/* A value of the program's own. */
class value
{
  public:
    /* Takes a value of ocellus.h, which it frees. */
    explicit value(oc_value *owned) noexcept : value_(owned) {}

    /* As oc_tensor_new. */
    static value tensor(oc_type type, span<const std::int64_t> dims)
    {
        return value(checked([&](oc_error *e) {
            return oc_tensor_new(type, static_cast<int>(dims.size()), dims.data(), nullptr, e);
        }));
    }
    /* A tensor with copies of the elements. */
    template <typename T>
    static value tensor(std::initializer_list<std::int64_t> dims, const std::vector<T> &elements)
    {
        value made = tensor(type_of<T>(), span<const std::int64_t>(dims.begin(), dims.size()));
        const auto to = made.template elements<T>();
        if (to.size() != elements.size())
            throw error(OC_ARGUMENT, "a tensor has another number of elements than it is given");
        for (std::size_t i = 0; i < to.size(); i++)
            to[i] = elements[i];
        return made;
    }
    /* As oc_sequence_new. */
    static value sequence(oc_type type, const std::vector<value_view> &items)
    {
        std::vector<const oc_value *> list;
        for (const value_view item : items)
            list.push_back(item.get());
        return value(checked([&](oc_error *e) {
            return oc_sequence_new(type, static_cast<std::int64_t>(list.size()), list.data(),
                                   nullptr, e);
        }));
    }
    /* As oc_optional_new; without an item it holds nothing. */
    static value optional(oc_type type, const value_view *item = nullptr)
    {
        return value(checked([&](oc_error *e) {
            return oc_optional_new(type, item ? item->get() : nullptr, nullptr, e);
        }));
    }

    /* Valid as long as this value. */
    value_view view() const noexcept { return value_view(value_.get()); }
    /* As view(). */
    operator value_view() const noexcept { return view(); }
    /* The elements of a tensor of that type, to be written. */
    template <typename T> span<T> elements()
    {
        view().elements<T>();
        return {static_cast<T *>(oc_value_mutable_data(value_.get())), view().size()};
    }
    /* For calls of ocellus.h. */
    oc_value *get() const noexcept { return value_.get(); }

  private:
    struct closer {
        void operator()(oc_value *v) const noexcept { oc_value_free(v); }
    };
    std::unique_ptr<oc_value, closer> value_;
};

/* ---- models ---- */

/* A loaded model. */
class model
{
  public:
    /* As oc_model_load. */
    explicit model(const std::string &path, const oc_model_options &options = {})
        : model_(checked([&](oc_error *e) { return oc_model_load(path.c_str(), &options, e); }))
    {
    }
    /* Of bytes, which stay valid as long as the model and its sessions. */
    static model from_memory(span<const char> bytes, const oc_model_options &options = {})
    {
        return model(checked([&](oc_error *e) {
            return oc_model_load_memory(bytes.data(), bytes.size(), &options, e);
        }));
    }

    /* As oc_model_input, of each. */
    std::vector<oc_port> inputs() const
    {
        std::vector<oc_port> list;
        for (int i = 0; i < oc_model_n_inputs(get()); i++)
            list.push_back(oc_model_input(get(), i));
        return list;
    }
    /* As oc_model_output, of each. */
    std::vector<oc_port> outputs() const
    {
        std::vector<oc_port> list;
        for (int i = 0; i < oc_model_n_outputs(get()); i++)
            list.push_back(oc_model_output(get(), i));
        return list;
    }
    /* As oc_model_describe. */
    oc_model_info describe() const noexcept { return oc_model_describe(get()); }
    /* For calls of ocellus.h. */
    const oc_model *get() const noexcept { return model_.get(); }

  private:
    explicit model(oc_model *owned) noexcept : model_(owned) {}
    struct closer {
        void operator()(oc_model *m) const noexcept { oc_model_free(m); }
    };
    std::unique_ptr<oc_model, closer> model_;
};

/* ---- sessions ---- */

/* A session of a model, which it may outlive. */
class session
{
  public:
    /* As oc_session_new. */
    explicit session(const model &of, const oc_session_options &options = {})
        : session_(checked([&](oc_error *e) { return oc_session_new(of.get(), &options, e); }))
    {
    }

    /* Borrows the elements until the input is bound again or the session ends; a temporary's are
     * gone before, so none is taken. */
    template <typename C>
    void bind(const char *input, std::initializer_list<std::int64_t> dims, C &elements)
    {
        bind(input, span<const std::int64_t>(dims.begin(), dims.size()), elements);
    }
    /* The same with dims that are computed. */
    template <typename C> void bind(const char *input, span<const std::int64_t> dims, C &elements)
    {
        using T = std::remove_reference_t<decltype(elements[0])>;
        const span<const T> s(elements);
        expect_count(input, dims, s.size());
        checked([&](oc_error *e) {
            oc_bind(get(), input, type_of<T>(), static_cast<int>(dims.size()), dims.data(),
                    s.data(), e);
        });
    }
    /* As oc_bind_value: borrows the elements of the value. */
    void bind(const char *input, value_view v)
    {
        checked([&](oc_error *e) { oc_bind_value(get(), input, v.get(), e); });
    }
    /* Has runs write an output, of any dims that fit, into these elements. */
    template <typename C> void bind_output(const char *output, C &elements)
    {
        using T = std::remove_reference_t<decltype(elements[0])>;
        const span<T> s(elements);
        checked([&](oc_error *e) {
            oc_bind_output(get(), output, type_of<T>(), -1, nullptr, s.data(), s.size() * sizeof(T),
                           e);
        });
    }

    /* As oc_run. */
    void run()
    {
        checked([&](oc_error *e) { oc_run(get(), e); });
    }
    /* Valid until the next run. */
    value_view fetch(const char *output) const
    {
        return value_view(checked([&](oc_error *e) { return oc_fetch_value(get(), output, e); }));
    }
    /* The elements of an output that is a tensor of that type; valid until the next run. */
    template <typename T> span<const T> fetch(const char *output) const
    {
        return fetch(output).template elements<T>();
    }

    /* As oc_session_describe. */
    oc_session_stats describe() const noexcept { return oc_session_describe(get()); }
    /* For calls of ocellus.h. */
    oc_session *get() const noexcept { return session_.get(); }

  private:
    /* oc_bind knows no number of elements; a span does. */
    static void expect_count(const char *input, span<const std::int64_t> dims, std::size_t size)
    {
        std::size_t count = 1;
        for (const std::int64_t n : dims)
            count = n <= 0 || count > size ? 0 : count * static_cast<std::size_t>(n);
        if (count != size)
            throw error(OC_ARGUMENT,
                        ("input '" + std::string(input ? input : "") + "' is given " +
                         std::to_string(size) + " elements, which are not those of its dims")
                            .c_str());
    }
    struct closer {
        void operator()(oc_session *s) const noexcept { oc_session_free(s); }
    };
    std::unique_ptr<oc_session, closer> session_;
};

} // namespace ocellus

#endif
